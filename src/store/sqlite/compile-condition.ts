import type { Condition } from "../query/condition.ts";
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
  return compileCondition(condition, new SqliteDialect(parameters), indexed);
}
