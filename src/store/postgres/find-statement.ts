import type { IndexDefinition } from "../indexes.ts";
import type { Condition } from "../query/condition.ts";
import type { ParsedFindOptions, SortKey } from "../query/find-options.ts";
import { compileCondition } from "../sql/compile-condition.ts";
import { sqlName } from "../sql/sql-names.ts";
import { indexedColumns } from "./key-columns.ts";
import { PostgresDialect } from "./postgres-dialect.ts";
import { PostgresParameters } from "./postgres-parameters.ts";
import { readableText } from "./readable-text.ts";

/** A collection and its indexes. */
export interface QueriedCollection {
  name: string;
  indexes: readonly IndexDefinition[];
}

/** A statement with the values of its parameters `$1`, `$2`, …. */
export interface QueryStatement {
  text: string;
  values: (string | number)[];
}

/** SELECT of the documents (column `doc`) that satisfy the condition, in order. The condition has no regular expressions (`hasRegex`). */
export function findStatement(
  collection: QueriedCollection,
  condition: Condition,
  options: ParsedFindOptions,
): QueryStatement {
  const parameters = new PostgresParameters();
  const indexed = indexedColumns(collection.indexes);
  const where = compileCondition(condition, new PostgresDialect(parameters), indexed);
  const order = options.sort.map((key) => orderTerm(key, indexed, parameters)).join(", ");
  const limit = options.limit === undefined ? "" : ` LIMIT ${parameters.bind(options.limit, "bigint")}`;
  const offset = options.skip === 0 ? "" : ` OFFSET ${parameters.bind(options.skip, "bigint")}`;
  return {
    text: `SELECT doc FROM ${sqlName(collection.name)} WHERE ${where} ORDER BY ${order}${limit}${offset}`,
    values: parameters.values,
  };
}

/** SELECT of the number of documents (column `total`) that satisfy the condition. */
export function countStatement(collection: QueriedCollection, condition: Condition): QueryStatement {
  const parameters = new PostgresParameters();
  const dialect = new PostgresDialect(parameters);
  const where = compileCondition(condition, dialect, indexedColumns(collection.indexes));
  return {
    text: `SELECT count(*) AS total FROM ${sqlName(collection.name)} WHERE ${where}`,
    values: parameters.values,
  };
}

/** Null or missing, numbers, strings, objects, arrays, booleans: the order of keys. */
function orderTerm(
  { path, direction }: SortKey,
  indexed: ReadonlyMap<string, string>,
  parameters: PostgresParameters,
): string {
  const way = direction === 1 ? "ASC" : "DESC";
  const column = indexed.get(path.join("."));
  // Never NULL; where NULLs would be must be said as the primary key says it, so that it serves the order.
  if (column === "id") return `id ${way}`;
  const key = column ?? `linewright_key(doc, ${parameters.bindTexts(path.map(readableText))}) COLLATE "C"`;
  return `${key} ${way} NULLS ${direction === 1 ? "FIRST" : "LAST"}`;
}
