import { runLimits } from "../run-limits.ts";
import { isObject, isRecord, readMember } from "./conversions.ts";
import { DateValue, RegExpValue } from "./special-values.ts";

/**
 * Structural equality as the field's platform computes it: NaN equals NaN, 0 does not equal -0, lists in
 * their order, objects by their own members in any order, a member that is undefined is not an absent one.
 * `charge` is told about each comparison.
 */
export function deepEquals(left: unknown, right: unknown, charge: (cells: number) => void): boolean {
  const budget = { left: runLimits.valueSize };
  const areEqual = (a: unknown, b: unknown): boolean => {
    budget.left -= typeof a === "string" ? 1 + a.length / 16 : 1;
    if (budget.left < 0) throw new RangeError("the values are too large");
    if (!isObject(a) || !isObject(b)) return Object.is(a, b);
    if (isPlain(a) !== isPlain(b)) return false;
    return isPlain(a) ? sameMembers(a, b, areEqual) : sameSpecial(a, b, areEqual);
  };
  const result = areEqual(left, right);
  charge(runLimits.valueSize - budget.left);
  return result;
}

type Comparison = (a: unknown, b: unknown) => boolean;

function isPlain(value: object): boolean {
  return Array.isArray(value) || isRecord(value);
}

function sameSpecial(a: object, b: object, areEqual: Comparison): boolean {
  if (a instanceof DateValue && b instanceof DateValue) return Object.is(a.time, b.time);
  if (a instanceof RegExpValue && b instanceof RegExpValue) return a.toString() === b.toString();
  return a instanceof Set && b instanceof Set && sameSets(a, b, areEqual);
}

function sameSets(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>, areEqual: Comparison): boolean {
  if (a.size !== b.size) return false;
  const others = [...b].filter(isObject);
  return [...a].every((element) => {
    if (!isObject(element)) return b.has(element);
    const at = others.findIndex((other) => areEqual(element, other));
    if (at >= 0) others.splice(at, 1);
    return at >= 0;
  });
}

function sameMembers(a: object, b: object, areEqual: Comparison): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameElements(a, b, areEqual);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && areEqual(readMember(a, key), readMember(b, key)));
}

// A loop, because `every` passes over empty places.
function sameElements(a: readonly unknown[], b: readonly unknown[], areEqual: Comparison): boolean {
  if (a.length !== b.length) return false;
  for (const [index, element] of a.entries()) {
    if (!areEqual(element, b[index])) return false;
  }
  return true;
}
