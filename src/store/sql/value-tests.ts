import type { Test } from "../query/condition.ts";
import { plainTextOf, textAfter, type PlainText } from "../query/plain-text.ts";

/** A test of one value by itself, as SQL can put it. */
export type ValueTest =
  | Extract<Test, { test: "oneOf" | "compare" | "type" | "regex" }>
  /** Text that holds the wanted one: anywhere, or as its end, or (without regard to case) as its start or its whole. */
  | { readonly test: "text"; readonly wanted: PlainText };

/** The tests a value must pass, all of them, to pass this one. A `regex` stays only where it is more than a plain text. */
export function valueTestsOf(test: Exclude<ValueTest, { test: "text" }>): readonly ValueTest[] {
  const wanted = test.test === "regex" ? plainTextOf(test.expression) : undefined;
  return wanted ? plainTests(wanted) : [test];
}

/** Equality and ranges where they say the same: an index can serve them. */
function plainTests(wanted: PlainText): readonly ValueTest[] {
  const { text, isAtStart, isAtEnd, ignoresCase } = wanted;
  if (isAtStart && isAtEnd && !ignoresCase) return [{ test: "oneOf", values: [text] }];
  const isRange = isAtStart && !isAtEnd && !ignoresCase;
  if (text !== "" && !isRange) return [{ test: "text", wanted }];
  const from: ValueTest = { test: "compare", comparison: ">=", value: text };
  const end = textAfter(text);
  return end === undefined ? [from] : [from, { test: "compare", comparison: "<", value: end }];
}
