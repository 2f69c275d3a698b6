import type { Condition } from "../query/condition.ts";
import { demands } from "../sql/counted-condition.ts";
import { compileCondition } from "../sql/compile-condition.ts";
import { SqlParameters } from "./sql-parameters.ts";
import { SqliteDialect } from "./sqlite-dialect.ts";

/** SQL with named parameters. */
export interface CompiledSql {
  sql: string;
  parameters: Record<string, string | number>;
}

/**
 * Compiles a condition into a WHERE expression over the text column `doc`. Values and paths are bound
 * parameters; fields of `indexed` are compared by their index expressions. A `$regex` that is more than
 * a plain text calls the function `regex_matches(pattern, flags, text)`, which the connection must have.
 */
export function compileToSqlite(condition: Condition, indexed?: ReadonlyMap<string, string>): CompiledSql {
  const parameters = new SqlParameters();
  const sql = compileWhere(condition, parameters, indexed);
  return { sql, parameters: parameters.values };
}

/** The same as part of a larger statement. */
export function compileWhere(
  condition: Condition,
  parameters: SqlParameters,
  indexed?: ReadonlyMap<string, string>,
): string {
  const limited = new Set(limitedFields(condition).map((field) => indexed?.get(field) ?? ""));
  return compileCondition(condition, new SqliteDialect(parameters, limited), indexed);
}

/** Fields of which a lower and an upper limit are demanded. */
function limitedFields(condition: Condition): string[] {
  const limits = demands(condition).flatMap((item) =>
    item.kind === "field" && item.test.test === "compare"
      ? [{ field: item.path.join("."), isUpper: item.test.comparison.startsWith("<") }]
      : [],
  );
  const lower = new Set(limits.filter(({ isUpper }) => !isUpper).map(({ field }) => field));
  return limits.filter(({ field, isUpper }) => isUpper && lower.has(field)).map(({ field }) => field);
}
