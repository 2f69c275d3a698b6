import type { Test } from "../query/condition.ts";
import { equalsAny, scalar } from "./compile-value-test.ts";
import type { SqlParameters } from "./sql-parameters.ts";

/**
 * A test of an indexed field by its expression alone, which SQLite answers from the index; undefined
 * where the document itself must be asked. An indexed field holds text, a number or nothing; SQLite
 * orders numbers before text, so a range ends where the other type begins.
 */
export function compileIndexedTest(test: Test, expression: string, parameters: SqlParameters): string | undefined {
  switch (test.test) {
    case "oneOf":
      return compileOneOf(test.values, expression, parameters);
    case "compare":
      return compileComparison(test, expression, parameters);
    case "regex": {
      const { source, flags } = test.expression;
      return `(typeof(${expression}) = 'text' AND regex_matches(${parameters.bind(source)}, ${parameters.bind(flags)}, ${expression}))`;
    }
    default:
      return undefined;
  }
}

function compileOneOf(values: readonly unknown[], expression: string, parameters: SqlParameters): string {
  const scalars = values.filter((value) => typeof value === "string" || typeof value === "number");
  const parts: string[] = [];
  if (scalars.length > 0) parts.push(`${expression} ${equalsAny(scalars, parameters)}`);
  if (values.includes(null)) parts.push(`${expression} IS NULL`);
  return parts.length === 0 ? "0" : `(${parts.join(" OR ")})`;
}

function compileComparison(
  { comparison, value }: Extract<Test, { test: "compare" }>,
  expression: string,
  parameters: SqlParameters,
): string {
  if (typeof value === "boolean") return "0";
  const range = `${expression} ${comparison} ${scalar(value, parameters)}`;
  const isDownwards = comparison === "<" || comparison === "<=";
  if (typeof value === "string") return isDownwards ? `(${range} AND ${expression} >= '')` : range;
  return isDownwards ? range : `(${range} AND ${expression} < '')`;
}
