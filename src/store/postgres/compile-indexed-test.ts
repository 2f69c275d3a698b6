import type { Json } from "../../core/json.ts";
import type { ValueTest } from "../sql/value-tests.ts";
import { compileTextTest } from "./compile-value-test.ts";
import { keyRanges, numberKey, textKey } from "./key-columns.ts";
import type { PostgresParameters } from "./postgres-parameters.ts";

type Comparing = Extract<ValueTest, { test: "compare" }>;

/**
 * A test of an indexed field by its column alone; undefined where the document itself must be asked.
 * An indexed field holds text, a number or nothing.
 */
export function compileIndexedTest(
  test: ValueTest,
  column: string,
  parameters: PostgresParameters,
): string | undefined {
  const isId = column === "id";
  switch (test.test) {
    case "oneOf":
      return compileOneOf(test.values, column, parameters);
    case "compare":
      return isId ? compareId(test, parameters) : compareKey(test, column, parameters);
    case "text":
      return isId
        ? compileTextTest(test.wanted, "id", parameters)
        : `(${within("string", column)} AND ${compileTextTest(test.wanted, `substr(${column}, 2)`, parameters)})`;
    default:
      return undefined;
  }
}

function compileOneOf(values: readonly Json[], column: string, parameters: PostgresParameters): string {
  const keys = values.flatMap(column === "id" ? idOf : keyOf);
  const parts: string[] = [];
  if (keys.length > 0) parts.push(`${column} ${parameters.equalsAny(keys)}`);
  if (values.includes(null)) parts.push(`${column} IS NULL`);
  return parts.length === 0 ? "false" : `(${parts.join(" OR ")})`;
}

function keyOf(value: Json): string[] {
  if (typeof value === "number") return [numberKey(value)];
  return typeof value === "string" ? [textKey(value)] : [];
}

/** Identifiers are kept as they are, so none holds U+0000. */
function idOf(value: Json): string[] {
  return typeof value === "string" && !value.includes("\0") ? [value] : [];
}

function compareKey({ comparison, value }: Comparing, column: string, parameters: PostgresParameters): string {
  if (typeof value === "boolean") return "false";
  const key = typeof value === "string" ? textKey(value) : numberKey(value);
  const [from, end] = keyRanges[typeof value as "string" | "number"];
  const limit = comparison.startsWith("<") ? `>= '${from}'` : `< '${end}'`;
  return `(${column} ${comparison} ${parameters.bind(key, "text")} AND ${column} ${limit})`;
}

function compareId({ comparison, value }: Comparing, parameters: PostgresParameters): string {
  if (typeof value !== "string") return "false";
  const [start = "", ...others] = value.split("\0");
  if (others.length === 0) return `id ${comparison} ${parameters.bind(value, "text")}`;
  // No identifier lies between a text and the same text followed by U+0000.
  return `id ${comparison.startsWith("<") ? "<=" : ">"} ${parameters.bind(start, "text")}`;
}

function within(type: keyof typeof keyRanges, column: string): string {
  const [from, end] = keyRanges[type];
  return `${column} >= '${from}' AND ${column} < '${end}'`;
}
