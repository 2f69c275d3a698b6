import { typeError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { Dict, DictView } from "./dict.ts";
import { iterate } from "./iterate.ts";
import { compareTexts } from "./text-units.ts";
import { Undefined } from "./undefined.ts";
import {
  Iterated,
  type Markup,
  PythonObject,
  Range,
  Tuple,
  asInteger,
  charactersOf,
  isNumber,
  isText,
  typeNameOf,
  type Value,
} from "./value.ts";

/** Python's `==`. */
export function isEqual(budget: Budget, left: Value, right: Value): boolean {
  budget.charge(1);
  if (isText(left) && isText(right)) {
    const [a, b] = [charactersOf(left), charactersOf(right)];
    if (a.length !== b.length) return false;
    budget.chargeScan(a.length);
    return a === b;
  }
  if (left === right) return !Number.isNaN(left);
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0;
  const [a, b] = [sequenceOf(left), sequenceOf(right)];
  if (a && b && Array.isArray(left) === Array.isArray(right)) return budget.inValue(() => areEqual(budget, a, b));
  if (left instanceof Dict && right instanceof Dict) return budget.inValue(() => haveEqualMembers(budget, left, right));
  return isEqualObject(budget, left, right);
}

function isEqualObject(budget: Budget, left: Value, right: Value): boolean {
  if (left instanceof Undefined) return right instanceof Undefined;
  if (left instanceof Range && right instanceof Range)
    return areEqual(budget, [left.length, ...signOf(left)], [right.length, ...signOf(right)]);
  if (left instanceof DictView && right instanceof DictView && left.part === right.part && left.part !== "values")
    return left.dict.size === right.dict.size && [...left.values()].every((value) => contains(budget, right, value));
  return false;
}

/** What two ranges of one length must share: the first element, and the step where there is a second one. */
function signOf({ length, start, step }: Range): Value[] {
  if (length === 0n) return [];
  return length === 1n ? [start] : [start, step];
}

function sequenceOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof Tuple ? value.items : undefined;
}

function areEqual(budget: Budget, left: readonly Value[], right: readonly Value[]): boolean {
  if (left.length !== right.length) return false;
  // Those that are the same object cost next to nothing.
  budget.charge(left.length >> 4);
  return left.every((item, index) => isSame(budget, item, right[index] ?? null));
}

/** Elements are equal to themselves, also those that are not equal to anything. */
function isSame(budget: Budget, left: Value, right: Value): boolean {
  return (typeof left !== "string" && left === right) || isEqual(budget, left, right);
}

function haveEqualMembers(budget: Budget, left: Dict, right: Dict): boolean {
  if (left.size !== right.size) return false;
  budget.charge(left.size);
  for (const [key, value] of left.entries()) {
    const other = right.get(key);
    if (other === undefined || !isSame(budget, value, other)) return false;
  }
  return true;
}

/** Negative, zero or positive; NaN for what has no order. Ints and floats are compared exactly. */
export function compareNumbers(left: boolean | bigint | number, right: boolean | bigint | number): number {
  const a = asInteger(left) ?? (left as number);
  const b = asInteger(right) ?? (right as number);
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

export type Ordering = "<" | "<=" | ">" | ">=";

/** Python's `<` and its kin. TypeError for values that have no order, UndefinedError where one is undefined. */
export function isOrdered(budget: Budget, left: Value, operator: Ordering, right: Value): boolean {
  budget.charge(1);
  if (isNumber(left) && isNumber(right)) return holds(compareNumbers(left, right), operator);
  if (isText(left) && isText(right)) return holds(orderOfTexts(budget, left, right), operator);
  const [a, b] = [sequenceOf(left), sequenceOf(right)];
  if (a && b && Array.isArray(left) === Array.isArray(right))
    return budget.inValue(() => sequencesOrdered(budget, a, operator, b));
  if (left instanceof Undefined) throw left.error();
  if (right instanceof Undefined) throw right.error();
  if (left instanceof DictView && right instanceof DictView) return viewsOrdered(budget, left, operator, right);
  throw typeError(`'${operator}' not supported between instances of '${typeNameOf(left)}' and '${typeNameOf(right)}'`);
}

function orderOfTexts(budget: Budget, left: string | Markup, right: string | Markup): number {
  const [a, b] = [charactersOf(left), charactersOf(right)];
  budget.chargeScan(a.length + b.length);
  return compareTexts(a, b);
}

function holds(order: number, operator: Ordering): boolean {
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function sequencesOrdered(
  budget: Budget,
  left: readonly Value[],
  operator: Ordering,
  right: readonly Value[],
): boolean {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left[index] ?? null, right[index] ?? null];
    if (!isSame(budget, a, b)) return isOrdered(budget, a, operator, b);
  }
  return holds(left.length - right.length, operator);
}

/** Keys and members are sets: `<` is "part of". */
function viewsOrdered(budget: Budget, left: DictView, operator: Ordering, right: DictView): boolean {
  if (operator === ">" || operator === ">=") return viewsOrdered(budget, right, operator === ">" ? "<" : "<=", left);
  const isPart = [...left.values()].every((value) => contains(budget, right, value));
  return isPart && (operator === "<=" || left.dict.size < right.dict.size);
}

/** Python's `in`: is the value among the elements of the container? */
export function contains(budget: Budget, container: Value, value: Value): boolean {
  if (isText(container)) {
    if (!isText(value)) throw typeError(`'in <string>' requires string as left operand, not ${typeNameOf(value)}`);
    budget.chargeScan(charactersOf(container).length + charactersOf(value).length);
    return charactersOf(container).includes(charactersOf(value));
  }
  if (container instanceof Dict) return container.has(value);
  if (container instanceof DictView && container.part === "keys") return container.dict.has(value);
  if (container instanceof Range) return rangeContains(container, value);
  if (!Array.isArray(container) && !(container instanceof PythonObject && isContainer(container)))
    throw typeError(`argument of type '${typeNameOf(container)}' is not iterable`);
  for (const element of iterate(container)) if (isSame(budget, element, value)) return true;
  return false;
}

function isContainer(value: PythonObject): boolean {
  return (
    value instanceof Tuple ||
    value instanceof DictView ||
    value instanceof Iterated ||
    value instanceof Undefined ||
    value.elements !== undefined
  );
}

function rangeContains({ start, step, length }: Range, value: Value): boolean {
  const whole = typeof value === "number" && Number.isInteger(value) ? BigInt(value) : asInteger(value);
  if (whole === undefined) return false;
  const distance = whole - start;
  return distance % step === 0n && distance / step >= 0n && distance / step < length;
}

/** Sorts by keys as Python does: stable, by `<` alone. */
export function sortBy(
  budget: Budget,
  items: readonly Value[],
  keyOf: (item: Value) => Value,
  isReversed: boolean,
): Value[] {
  budget.chargeList(items.length);
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  const order = (a: { key: Value }, b: { key: Value }): number => {
    if (isText(a.key) && isText(b.key)) {
      budget.charge(1);
      return orderOfTexts(budget, a.key, b.key);
    }
    if (typeof a.key === "bigint" && typeof b.key === "bigint") {
      budget.charge(1);
      return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
    }
    if (isOrdered(budget, a.key, "<", b.key)) return -1;
    return isOrdered(budget, b.key, "<", a.key) ? 1 : 0;
  };
  keyed.sort(isReversed ? (a, b) => order(b, a) : order);
  return keyed.map(({ item }) => item);
}
