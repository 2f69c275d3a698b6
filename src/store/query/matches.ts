import { isJsonObject, type Json } from "../../core/json.ts";
import { compareText } from "./compare-text.ts";
import type { Comparison, Condition, JsonType, Path, Test } from "./condition.ts";
import { isIndex } from "./path.ts";

/**
 * Does the document satisfy the condition? The plain reading of the query language, which every
 * store's own way of answering must agree with. A regular expression runs without a deadline here.
 */
export function matches(condition: Condition, root: unknown): boolean {
  switch (condition.kind) {
    case "all":
      return condition.conditions.every((item) => matches(item, root));
    case "any":
      return condition.conditions.some((item) => matches(item, root));
    case "not":
      return !matches(condition.condition, root);
    case "field":
      return reach(root, condition.path).some((value) => passes(condition.test, value, condition.path.length > 0));
  }
}

/**
 * Every value a path leads to; undefined where a member is missing. An array on the way leads on
 * through each object in it, and through the element at an index; only a name may be missing.
 */
function reach(value: unknown, path: Path): unknown[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return [value];
  if (Array.isArray(value)) return reachElements(value, segment, rest);
  return isJsonObject(value) && Object.hasOwn(value, segment) ? reach(value[segment], rest) : [undefined];
}

function reachElements(array: unknown[], segment: string, rest: Path): unknown[] {
  const indexed = isIndex(segment) && Number(segment) < array.length ? reach(array[Number(segment)], rest) : [];
  const objects = array.filter(isJsonObject).filter((item) => !isIndex(segment) || Object.hasOwn(item, segment));
  return [...indexed, ...objects.flatMap((item) => reach(item, [segment, ...rest]))];
}

/** `isLeaf`: a path led here, so an array passes when one of its elements does. */
function passes(test: Test, value: unknown, isLeaf: boolean): boolean {
  switch (test.test) {
    case "exists":
      return value !== undefined;
    case "size":
      return Array.isArray(value) && value.length === test.size;
    case "element":
      return Array.isArray(value) && value.some((item) => matches(test.condition, item));
    case "member":
      // A member that is undefined is not stored.
      return (
        isJsonObject(value) && Object.values(value).some((item) => item !== undefined && matches(test.condition, item))
      );
    default:
      return (
        passesItself(test, value) || (isLeaf && Array.isArray(value) && value.some((item) => passesItself(test, item)))
      );
  }
}

type ValueTest = Extract<Test, { test: "oneOf" | "compare" | "type" | "regex" }>;

function passesItself(test: ValueTest, value: unknown): boolean {
  switch (test.test) {
    case "oneOf":
      return test.values.some((wanted) => isEqual(value, wanted));
    case "compare":
      return typeof value === typeof test.value && isOrdered(value as typeof test.value, test.comparison, test.value);
    case "type":
      return value !== undefined && test.types.includes(typeOf(value));
    case "regex":
      return typeof value === "string" && test.expression.test(value);
  }
}

/** Equal in type, value and order of members; a missing value equals null. */
function isEqual(value: unknown, wanted: Json): boolean {
  if (typeof wanted !== "object") return value === wanted;
  return JSON.stringify(value ?? null) === JSON.stringify(wanted);
}

function isOrdered(
  value: string | number | boolean,
  comparison: Comparison,
  wanted: string | number | boolean,
): boolean {
  const order = typeof value === "string" ? compareText(value, String(wanted)) : Number(value) - Number(wanted);
  switch (comparison) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  if (type === "boolean") return "bool";
  return type === "string" || type === "number" ? type : "object";
}
