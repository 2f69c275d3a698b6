import type { Json } from "../../core/json.ts";
import type { JsonType } from "../query/condition.ts";
import type { PlainText } from "../query/plain-text.ts";
import type { ValueTest } from "../sql/value-tests.ts";
import type { SqlParameters } from "./sql-parameters.ts";

/** A JSON value in SQL: its `json_type` (NULL when missing) and its SQL value. */
interface Operand {
  type: string;
  value: string;
}

const sqliteTypes: Readonly<Record<JsonType, string>> = {
  null: "'null'",
  bool: "'true', 'false'",
  number: "'integer', 'real'",
  string: "'text'",
  object: "'object'",
  array: "'array'",
};

/** A test of one value as SQL; NULL or false when it does not pass. */
export function compileValueTest(test: ValueTest, operand: Operand, parameters: SqlParameters): string {
  switch (test.test) {
    case "oneOf":
      return compileOneOf(test.values, operand, parameters);
    case "compare":
      return `(${operand.type} IN (${sqliteTypes[typeNameOf(test.value)]}) AND ${operand.value} ${test.comparison} ${scalar(test.value, parameters)})`;
    case "type":
      return `${operand.type} IN (${test.types.map((type) => sqliteTypes[type]).join(", ")})`;
    case "text":
    case "regex":
      return `(${operand.type} = 'text' AND ${compileTextTest(test, operand.value, parameters)})`;
  }
}

/** A test of what is text. */
export function compileTextTest(
  test: Extract<ValueTest, { test: "text" | "regex" }>,
  text: string,
  parameters: SqlParameters,
): string {
  if (test.test === "text") return compilePlainText(test.wanted, text, parameters);
  const { source, flags } = test.expression;
  return `regex_matches(${parameters.bind(source)}, ${parameters.bind(flags)}, ${text})`;
}

/** SQLite's own `lower` knows ASCII only. It counts characters up to U+0000, so ends are compared as bytes. */
function compilePlainText(
  { text, isAtStart, isAtEnd, ignoresCase }: PlainText,
  value: string,
  parameters: SqlParameters,
): string {
  const whole = ignoresCase ? `lower(${value})` : value;
  const wanted = parameters.bind(text);
  const bytes = Buffer.byteLength(text);
  const part = (range: string): string => `substr(CAST(${whole} AS BLOB), ${range}) = CAST(${wanted} AS BLOB)`;
  if (isAtStart) return isAtEnd ? `${whole} = ${wanted}` : part(`1, ${bytes}`);
  return isAtEnd ? part(`${-bytes}`) : `instr(${whole}, ${wanted}) > 0`;
}

/** A scalar as SQL. Numbers are read from their JSON text, as those in documents are, so that both are the same to the last bit. */
export function scalar(value: string | number | boolean, parameters: SqlParameters): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "string" ? parameters.bind(value) : `(${parameters.bind(JSON.stringify(value))} ->> '$')`;
}

/** ` = value` or ` IN (values)`. */
export function equalsAny(values: readonly (string | number)[], parameters: SqlParameters): string {
  const [only] = values;
  if (only !== undefined && values.length === 1) return `= ${scalar(only, parameters)}`;
  return `IN (SELECT value FROM json_each(${parameters.bind(JSON.stringify(values))}))`;
}

function compileOneOf(values: readonly Json[], operand: Operand, parameters: SqlParameters): string {
  const parts: string[] = [];
  const { type, value } = operand;
  if (values.includes(null)) parts.push(`coalesce(${type}, 'null') = 'null'`);
  if (values.includes(true)) parts.push(`${type} = 'true'`);
  if (values.includes(false)) parts.push(`${type} = 'false'`);
  const texts = values.filter((item) => typeof item === "string");
  if (texts.length > 0) parts.push(`(${type} = 'text' AND ${value} ${equalsAny(texts, parameters)})`);
  const numbers = values.filter((item) => typeof item === "number");
  if (numbers.length > 0)
    parts.push(`(${type} IN (${sqliteTypes.number}) AND ${value} ${equalsAny(numbers, parameters)})`);
  // Objects and arrays are equal in order of members as well: their texts are.
  const structures = values
    .filter((item) => typeof item === "object" && item !== null)
    .map((item) => JSON.stringify(item));
  if (structures.length > 0)
    parts.push(`(${type} IN ('object', 'array') AND ${value} ${equalsAny(structures, parameters)})`);
  return parts.length === 0 ? "0" : `(${parts.join(" OR ")})`;
}

function typeNameOf(value: string | number | boolean): JsonType {
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "number";
}
