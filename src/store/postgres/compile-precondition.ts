import type { Test } from "../query/condition.ts";
import { plainTextOf } from "../query/plain-text.ts";
import type { PostgresParameters } from "./postgres-parameters.ts";
import { readableJson } from "./readable-text.ts";

/** Beyond so many searches, reading the document's members is as quick. */
const mostSearches = 2;

/**
 * What the text of a document (`document`: SQL of type `json`) must hold so that any value within it can pass
 * the test; undefined where that is not worth asking. Searching a text is several times quicker than reading it.
 */
export function compilePrecondition(test: Test, document: string, parameters: PostgresParameters): string | undefined {
  const text = `${document}::text COLLATE "C"`;
  const holds = (within: string, wanted: string): string => `strpos(${within}, ${parameters.bind(wanted, "text")}) > 0`;
  if (test.test === "oneOf") {
    const { values } = test;
    if (values.length === 0 || values.length > mostSearches || values.includes(null)) return undefined;
    return `(${values.map((value) => holds(text, readableJson(JSON.stringify(value)))).join(" OR ")})`;
  }
  const wanted = test.test === "regex" ? plainTextOf(test.expression) : undefined;
  if (!wanted || wanted.text === "") return undefined;
  return holds(wanted.ignoresCase ? `lower(${text})` : text, JSON.stringify(wanted.text).slice(1, -1));
}
