import type { Json } from "../../core/json.ts";
import { plainTextOf } from "./plain-text.ts";

/** Member names (or array indexes, as text) from the root of a document to a value. */
export type Path = readonly string[];

/** Types of JSON values, as `$type` names them. */
export type JsonType = "null" | "bool" | "number" | "string" | "object" | "array";

export type Comparison = "<" | "<=" | ">" | ">=";

/** What a value must satisfy. */
export type Test =
  /** Equal to one of the values; null also stands for a missing value. No values: never true. */
  | { readonly test: "oneOf"; readonly values: readonly Json[] }
  /** Ordered against a value of the same type; other types never compare. */
  | { readonly test: "compare"; readonly comparison: Comparison; readonly value: string | number | boolean }
  | { readonly test: "exists" }
  | { readonly test: "type"; readonly types: readonly JsonType[] }
  /** An array of exactly this length. */
  | { readonly test: "size"; readonly size: number }
  /** An array with an element that satisfies the condition; the element is its root. */
  | { readonly test: "element"; readonly condition: Condition }
  /** An object with a member, whatever its name, whose value satisfies the condition; the value is its root. */
  | { readonly test: "member"; readonly condition: Condition }
  /** Text that the expression finds. It has no `g` or `y` flag, so it holds no state. */
  | { readonly test: "regex"; readonly expression: RegExp };

/** A parsed query: a small closed tree of frozen nodes that every store compiles for itself. */
export type Condition =
  | { readonly kind: "all"; readonly conditions: readonly Condition[] }
  | { readonly kind: "any"; readonly conditions: readonly Condition[] }
  | { readonly kind: "not"; readonly condition: Condition }
  /** True when any value the path leads to passes the test. The empty path is the root itself. */
  | { readonly kind: "field"; readonly path: Path; readonly test: Test };

/** True when every condition is; no conditions: always true. */
export function all(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  return only && conditions.length === 1
    ? only
    : Object.freeze({ kind: "all", conditions: Object.freeze([...conditions]) });
}

/** True when at least one condition is; no conditions: never true. */
export function any(conditions: readonly Condition[]): Condition {
  return Object.freeze({ kind: "any", conditions: Object.freeze([...conditions]) });
}

export function not(condition: Condition): Condition {
  return Object.freeze({ kind: "not", condition });
}

export function field(path: Path, test: Test): Condition {
  return Object.freeze({ kind: "field", path: Object.freeze([...path]), test: Object.freeze(test) });
}

/** True when the condition holds a user's regular expression whose running time nothing bounds: more than a plain text. */
export function hasRegex(condition: Condition): boolean {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.conditions.some(hasRegex);
    case "not":
      return hasRegex(condition.condition);
    case "field": {
      const { test } = condition;
      if (test.test === "regex") return plainTextOf(test.expression) === undefined;
      return (test.test === "element" || test.test === "member") && hasRegex(test.condition);
    }
  }
}
