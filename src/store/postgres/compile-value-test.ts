import type { JsonType } from "../query/condition.ts";
import type { PlainText } from "../query/plain-text.ts";
import type { ValueTest } from "../sql/value-tests.ts";
import type { PostgresParameters } from "./postgres-parameters.ts";
import { readableJson, readableText } from "./readable-text.ts";

/**
 * A test of one value, a `json` expression that is cheap to repeat (NULL: missing), as SQL; NULL or false
 * when it does not pass. Documents are written by `JSON.stringify`, so equal values have equal JSON texts.
 */
export function compileValueTest(test: ValueTest, value: string, parameters: PostgresParameters): string {
  switch (test.test) {
    case "oneOf":
      return compileOneOf(test, value, parameters);
    case "compare":
      return compileComparison(test, value, parameters);
    case "type":
      return `json_typeof(${value}) IN (${test.types.map((type) => postgresTypes[type]).join(", ")})`;
    case "text":
      return `CASE json_typeof(${value}) WHEN 'string' THEN ${compileTextTest(test.wanted, `(${value} #>> '{}')`, parameters)} END`;
    case "regex":
      throw new Error("PostgreSQL does not run regular expressions of queries: weaken the condition first");
  }
}

const postgresTypes: Readonly<Record<JsonType, string>> = {
  null: "'null'",
  bool: "'boolean'",
  number: "'number'",
  string: "'string'",
  object: "'object'",
  array: "'array'",
};

function compileOneOf(
  { values }: Extract<ValueTest, { test: "oneOf" }>,
  value: string,
  parameters: PostgresParameters,
): string {
  if (values.length === 0) return "false";
  const text = values.includes(null) ? `coalesce(${value}::text, 'null')` : `${value}::text`;
  return `${text} ${parameters.equalsAny(values.map((item) => readableJson(JSON.stringify(item))))}`;
}

function compileComparison(
  { comparison, value: bound }: Extract<ValueTest, { test: "compare" }>,
  value: string,
  parameters: PostgresParameters,
): string {
  if (typeof bound === "number")
    return `CASE json_typeof(${value}) WHEN 'number' THEN ${value}::text::float8 ${comparison} ${parameters.bind(bound, "float8")} END`;
  if (typeof bound === "string")
    return `CASE json_typeof(${value}) WHEN 'string' THEN (${value} #>> '{}') COLLATE "C" ${comparison} ${parameters.bind(readableText(bound), "text")} END`;
  // The names of the two are in the order of the two.
  return `CASE json_typeof(${value}) WHEN 'boolean' THEN ${value}::text COLLATE "C" ${comparison} '${bound}' END`;
}

/** A test of what is text. In the collation "C", letters beyond ASCII have no case. */
export function compileTextTest(wanted: PlainText, text: string, parameters: PostgresParameters): string {
  const { isAtStart, isAtEnd, ignoresCase } = wanted;
  const whole = ignoresCase ? `lower(${text} COLLATE "C")` : `(${text} COLLATE "C")`;
  const bound = parameters.bind(wanted.text, "text");
  if (isAtStart) return isAtEnd ? `${whole} = ${bound}` : `starts_with(${whole}, ${bound})`;
  return isAtEnd ? `right(${whole}, ${Array.from(wanted.text).length}) = ${bound}` : `strpos(${whole}, ${bound}) > 0`;
}
