import type { Condition } from "../query/condition.ts";
import type { ParsedFindOptions, SortKey } from "../query/find-options.ts";
import { sqlName } from "../sql/sql-names.ts";
import { compileWhere, type CompiledSql } from "./compile-condition.ts";
import { jsonPath } from "./json-path.ts";
import { SqlParameters } from "./sql-parameters.ts";

/** A collection and its indexed fields with their expressions. */
export interface QueriedCollection {
  name: string;
  indexed: ReadonlyMap<string, string>;
}

/** SELECT of the documents (column `doc`) that satisfy the condition, in order. */
export function findStatement(
  collection: QueriedCollection,
  condition: Condition,
  options: ParsedFindOptions,
): CompiledSql {
  const parameters = new SqlParameters();
  const where = compileWhere(condition, parameters, collection.indexed);
  const order = options.sort.flatMap((key) => orderTerms(key, collection, parameters)).join(", ");
  const isPaged = options.limit !== undefined || options.skip > 0;
  // A negative limit is none.
  const page = isPaged ? ` LIMIT ${parameters.bind(options.limit ?? -1)} OFFSET ${parameters.bind(options.skip)}` : "";
  return {
    sql: `SELECT doc FROM ${sqlName(collection.name)} WHERE ${where} ORDER BY ${order}${page}`,
    parameters: parameters.values,
  };
}

/** SELECT of the number of documents (column `total`) that satisfy the condition. */
export function countStatement(collection: QueriedCollection, condition: Condition): CompiledSql {
  const parameters = new SqlParameters();
  const where = compileWhere(condition, parameters, collection.indexed);
  return {
    sql: `SELECT count(*) AS total FROM ${sqlName(collection.name)} WHERE ${where}`,
    parameters: parameters.values,
  };
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
