import { valueTestsOf } from "./value-tests.ts";
import { all, any, field, type Condition, type Test } from "../query/condition.ts";

/** A test that the values of a counted field answer by themselves. */
type CountedTest = Extract<Test, { test: "oneOf" | "compare" | "regex" }>;

/** A search within the texts of a counted field. */
export interface TextSearch {
  field: string;
  test: Extract<Test, { test: "regex" }>;
}

/** Is the condition one on these fields alone, so that counts by their values answer it? None with a user's expression is. */
export function isCountable(condition: Condition, fields: ReadonlySet<string>): boolean {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.conditions.every((item) => isCountable(item, fields));
    case "not":
      return isCountable(condition.condition, fields);
    case "field":
      return fields.has(condition.path.join(".")) && isCountedTest(condition.test);
  }
}

/** What the condition demands of these fields, whatever else it does; undefined where that is nothing. */
export function countablePart(condition: Condition, fields: ReadonlySet<string>): Condition | undefined {
  const parts = demands(condition).filter((item) => isCountable(item, fields));
  return parts.length === 0 ? undefined : all(parts);
}

/** Conditions that must all be true. */
export function demands(condition: Condition): readonly Condition[] {
  return condition.kind === "all" ? condition.conditions.flatMap(demands) : [condition];
}

/** Searches within texts that a condition makes on these fields. */
export function textSearches(condition: Condition, fields: ReadonlySet<string>): TextSearch[] {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.conditions.flatMap((item) => textSearches(item, fields));
    // A value that appears meanwhile would be found where it must not be.
    case "not":
      return [];
    case "field": {
      const name = condition.path.join(".");
      return fields.has(name) && isTextSearch(condition.test) ? [{ field: name, test: condition.test }] : [];
    }
  }
}

/** The condition with searches replaced by the values that they find; one without values stays as it is. */
export function replaceSearches(
  condition: Condition,
  valuesOf: ReadonlyMap<TextSearch["test"], readonly string[]>,
): Condition {
  switch (condition.kind) {
    case "all":
      return all(condition.conditions.map((item) => replaceSearches(item, valuesOf)));
    case "any":
      return any(condition.conditions.map((item) => replaceSearches(item, valuesOf)));
    case "not":
      return condition;
    case "field": {
      const values = condition.test.test === "regex" ? valuesOf.get(condition.test) : undefined;
      return values ? field(condition.path, { test: "oneOf", values }) : condition;
    }
  }
}

/** Alternatives that more than counts must answer, with what they demand of counted fields: none is true where that is not. */
export function doubtfulAlternatives(
  condition: Condition,
  fields: ReadonlySet<string>,
): { alternative: Condition; demanded: Condition }[] {
  switch (condition.kind) {
    case "all":
      return condition.conditions.flatMap((item) => doubtfulAlternatives(item, fields));
    case "any":
      return condition.conditions.flatMap((alternative) => {
        const demanded = isCountable(alternative, fields) ? undefined : countablePart(alternative, fields);
        return demanded ? [{ alternative, demanded }] : doubtfulAlternatives(alternative, fields);
      });
    // What is added meanwhile would be found where it must not be.
    case "not":
    case "field":
      return [];
  }
}

/** The condition without some of its alternatives. */
export function withoutAlternatives(condition: Condition, left: ReadonlySet<Condition>): Condition {
  switch (condition.kind) {
    case "all":
      return all(condition.conditions.map((item) => withoutAlternatives(item, left)));
    case "any":
      return any(condition.conditions.filter((item) => !left.has(item)).map((item) => withoutAlternatives(item, left)));
    case "not":
    case "field":
      return condition;
  }
}

function isCountedTest(test: Test): test is CountedTest {
  if (test.test === "regex") return !valueTestsOf(test).includes(test);
  return test.test === "oneOf" || test.test === "compare";
}

function isTextSearch(test: Test): test is TextSearch["test"] {
  return test.test === "regex" && valueTestsOf(test).some((item) => item.test === "text");
}
