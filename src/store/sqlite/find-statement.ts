import type { IndexDefinition } from "../indexes.ts";
import type { Condition } from "../query/condition.ts";
import type { ParsedFindOptions, SortKey } from "../query/find-options.ts";
import { sqlName } from "../sql/sql-names.ts";
import { compileWhere, type CompiledSql } from "./compile-condition.ts";
import { jsonPath } from "./json-path.ts";
import { SqlParameters } from "./sql-parameters.ts";

/** A collection, its indexes and its indexed fields with their expressions. */
export interface QueriedCollection {
  name: string;
  indexes: readonly IndexDefinition[];
  indexed: ReadonlyMap<string, string>;
}

const noFields: ReadonlySet<string> = new Set();

/** How a statement finds documents. */
export interface FindingWay {
  /** Not by way of the indexes that begin with these fields. */
  passedOver?: ReadonlySet<string>;
  /** The page is found first, from an index alone where one knows enough, and then its documents are read. */
  isLate?: boolean;
}

/** SELECT of the documents (column `doc`) that satisfy the condition, in order. */
export function findStatement(
  collection: QueriedCollection,
  condition: Condition,
  options: ParsedFindOptions,
  { passedOver = noFields, isLate = false }: FindingWay = {},
): CompiledSql {
  const parameters = new SqlParameters();
  const where = compileWhere(condition, parameters, filterExpressions(collection, passedOver));
  const order = options.sort.flatMap((key) => orderTerms(key, collection, parameters)).join(", ");
  const isPaged = options.limit !== undefined || options.skip > 0;
  // A negative limit is none.
  const page = isPaged ? ` LIMIT ${parameters.bind(options.limit ?? -1)} OFFSET ${parameters.bind(options.skip)}` : "";
  const table = sqlName(collection.name);
  const found = `FROM ${table} WHERE ${where} ORDER BY ${order}${page}`;
  const sql = isLate
    ? `SELECT doc FROM ${table} WHERE rowid IN (SELECT rowid ${found}) ORDER BY ${order}`
    : `SELECT doc ${found}`;
  return { sql, parameters: parameters.values };
}

/** SELECT of the number of documents (column `total`) that satisfy the condition; not by way of the indexes that begin with `passedOver`. */
export function countStatement(
  collection: QueriedCollection,
  condition: Condition,
  passedOver = noFields,
): CompiledSql {
  const parameters = new SqlParameters();
  const where = compileWhere(condition, parameters, filterExpressions(collection, passedOver));
  return {
    sql: `SELECT count(*) AS total FROM ${sqlName(collection.name)} WHERE ${where}`,
    parameters: parameters.values,
  };
}

/** With a plus before it, SQLite looks for no index of an expression, but still reads its value from the index it walks. */
function filterExpressions(
  { indexed }: QueriedCollection,
  passedOver: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  if (passedOver.size === 0) return indexed;
  return new Map([...indexed].map(([field, sql]) => [field, passedOver.has(field) ? `+${sql}` : sql]));
}

/** Null or missing, numbers, strings, objects, arrays, booleans. */
function orderTerms({ path, direction }: SortKey, collection: QueriedCollection, parameters: SqlParameters): string[] {
  const way = direction === 1 ? "ASC" : "DESC";
  const expression = collection.indexed.get(path.join("."));
  if (expression) return [`${expression} ${way}`];
  const at = parameters.bind(jsonPath(path));
  const type = `json_type(doc, ${at})`;
  const rank = `CASE coalesce(${type}, 'null') WHEN 'null' THEN 0 WHEN 'integer' THEN 1 WHEN 'real' THEN 1 WHEN 'text' THEN 2 WHEN 'object' THEN 3 WHEN 'array' THEN 4 ELSE 5 END`;
  const value = `CASE WHEN ${type} NOT IN ('object', 'array') THEN json_extract(doc, ${at}) END`;
  return [`${rank} ${way}`, `${value} ${way}`];
}
