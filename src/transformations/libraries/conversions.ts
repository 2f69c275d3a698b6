import { runLimits } from "../run-limits.ts";
import type { Callback } from "./library-method.ts";
import { DateValue, RegExpValue } from "./special-values.ts";

export type Primitive = string | number | boolean | null | undefined;

/** A list or an object, or one of the values that travel between steps only. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** An object with members of its own: no list, date, set or regular expression. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value) && !isSpecial(value);
}

function isSpecial(value: object): boolean {
  return value instanceof DateValue || value instanceof RegExpValue || value instanceof Set;
}

/** What a value is, for messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The text JavaScript would show for the value; members named `toString` in the data do not matter. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isObject(value)) return String(value);
  if (Array.isArray(value)) return joinTexts(value, ",");
  if (value instanceof DateValue || value instanceof RegExpValue) return value.toString();
  return value instanceof Set ? "[object Set]" : "[object Object]";
}

/** The texts of the elements with a separator between them; null and undefined leave their place empty. */
export function joinTexts(list: readonly unknown[], separator: string): string {
  let length = separator.length * Math.max(0, list.length - 1);
  checkTextLength(length);
  const texts: string[] = [];
  for (const element of list) {
    const text = element === null || element === undefined ? "" : toText(element);
    length += text.length;
    checkTextLength(length);
    texts.push(text);
  }
  return texts.join(separator);
}

/** The value itself, or what an object counts as in arithmetic and comparison. */
export function toPrimitive(value: unknown, hint: "number" | "default" = "default"): Primitive {
  if (!isObject(value)) return value as Primitive;
  return hint === "number" && value instanceof DateValue ? value.time : toText(value);
}

export function toNumber(value: unknown): number {
  return Number(toPrimitive(value, "number"));
}

/** A number for a native method, which gives undefined a meaning of its own. */
export function optionalNumber(value: unknown): number | undefined {
  return value === undefined ? undefined : toNumber(value);
}

/** The list an Array method works on. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`needs a list, not ${kindOf(value)}`);
}

/** The text a String method works on; numbers and booleans are written out. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TypeError(`needs a text, not ${kindOf(value)}`);
}

/** The object an Object method works on; lists and texts have their indexes as keys. */
export function objectOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) throw new TypeError(`needs an object, not ${kindOf(value)}`);
  if (typeof value === "string") checkListLength(value.length);
  return isObject(value) ? (value as Record<string, unknown>) : (Object(value) as Record<string, unknown>);
}

export function callbackOf(value: unknown): Callback {
  if (typeof value === "function") return value as Callback;
  throw new TypeError("needs a function");
}

/** Own members only, so that nothing is read from prototypes; undefined for anything else. */
export function readMember(value: unknown, key: string): unknown {
  if (value === null || value === undefined || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** Sets an own member, whatever its name. */
export function defineMember(target: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (target as Record<string, unknown>)[key] = value;
  }
}

/** The texts of many values, each counted against what a run may copy: parts that are shared are written out each time. */
export function textsOf(values: readonly unknown[], charge: (cells: number) => void): string[] {
  return values.map((value) => {
    const text = toText(value);
    charge(1 + text.length / 16);
    return text;
  });
}

/** Accounts for looking for a value in a text or list, which takes up to the product of their lengths. */
export function chargeSearch(
  search: unknown,
  within: string | readonly unknown[],
  charge: (cells: number) => void,
): void {
  const comparisons = typeof search === "string" ? search.length * within.length : within.length;
  if (comparisons > 4e9) throw new RangeError("the text to look for is too long");
  charge(comparisons / 4096);
}

export function checkTextLength(length: number): void {
  if (length > runLimits.textLength) throw new RangeError(`a text may have at most ${runLimits.textLength} characters`);
}

export function checkListLength(length: number): void {
  if (length > runLimits.listLength) throw new RangeError(`a list may have at most ${runLimits.listLength} elements`);
}
