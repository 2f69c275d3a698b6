import type { ValueTest } from "../sql/value-tests.ts";
import { compileTextTest, equalsAny, scalar } from "./compile-value-test.ts";
import type { SqlParameters } from "./sql-parameters.ts";

/**
 * A test of an indexed field by its expression alone, which SQLite answers from the index; undefined
 * where the document itself must be asked. An indexed field holds text, a number or nothing; SQLite
 * orders numbers before text, so a range ends where the other type begins. `isLimited`: the condition limits the field from below and from above.
 */
export function compileIndexedTest(
  test: ValueTest,
  expression: string,
  parameters: SqlParameters,
  isLimited = false,
): string | undefined {
  switch (test.test) {
    case "oneOf":
      return compileOneOf(test.values, expression, parameters);
    case "compare":
      return compileComparison(test, expression, parameters, isLimited);
    case "text":
    case "regex":
      return `(typeof(${expression}) = 'text' AND ${compileTextTest(test, expression, parameters)})`;
    case "type":
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
  { comparison, value }: Extract<ValueTest, { test: "compare" }>,
  expression: string,
  parameters: SqlParameters,
  isLimited: boolean,
): string {
  if (typeof value === "boolean") return "0";
  const range = `${expression} ${comparison} ${scalar(value, parameters)}`;
  const isDownwards = comparison === "<" || comparison === "<=";
  // With a plus it is a mere filter: of two limits of one side SQLite would search by the first, however wide.
  const edge = isLimited ? `+${expression}` : expression;
  if (typeof value === "string") return isDownwards ? `(${range} AND ${edge} >= '')` : range;
  return isDownwards ? range : `(${range} AND ${edge} < '')`;
}
