import { typeError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { Dict, DictView } from "./dict.ts";
import { charactersIn, lengthOf } from "./text-units.ts";
import { Undefined } from "./undefined.ts";
import {
  Iterated,
  type Markup,
  PythonObject,
  Range,
  Tuple,
  charactersOf,
  isText,
  typeNameOf,
  type Value,
} from "./value.ts";

/** Passes through the elements of a value. TypeError for what has none. */
export function iterate(value: Value): Iterable<Value> {
  const elements = elementsOf(value);
  if (!elements) throw typeError(`'${typeNameOf(value)}' object is not iterable`);
  return elements;
}

/** Its elements; undefined for what has none. */
export function elementsOf(value: Value): Iterable<Value> | undefined {
  if (Array.isArray(value)) return live(value);
  if (isText(value)) return textElements(value);
  if (value instanceof Dict) return membersOf(value);
  if (value instanceof Tuple) return value.items;
  if (value instanceof Range) return rangeElements(value);
  if (value instanceof DictView) return value.values();
  if (value instanceof Iterated) return value;
  if (value instanceof Undefined) return [];
  return value instanceof PythonObject ? value.elements?.() : undefined;
}

/** A list as it is when each element is asked for: a loop sees what it appends itself. */
function* live(list: Value[]): Generator<Value> {
  for (let index = 0; index < list.length; index++) yield list[index] ?? null;
}

/** The characters, not escaped any more: Python's escaped text gives plain ones. */
function* textElements(text: string | Markup): Generator<Value> {
  for (const character of charactersIn(charactersOf(text))) yield character;
}

function* membersOf(dict: Dict): Generator<Value> {
  for (const [key] of dict.entries()) yield key;
}

function* rangeElements({ start, step, length }: Range): Generator<Value> {
  for (let index = 0n; index < length; index++) yield start + index * step;
}

/** All elements as a new list. */
export function listOf(budget: Budget, value: Value): Value[] {
  const list: Value[] = [];
  for (const element of iterate(value)) {
    budget.charge(1);
    list.push(element);
    budget.requireListLength(list.length);
  }
  return list;
}

/** The number of elements; undefined for what has no length. */
export function sizeOf(value: Value): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (isText(value)) return lengthOf(charactersOf(value));
  if (value instanceof Dict) return value.size;
  if (value instanceof DictView) return value.dict.size;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Range) return Number(value.length);
  if (value instanceof Undefined) return 0;
  return value instanceof PythonObject ? value.elementCount?.() : undefined;
}

/** The number of elements. TypeError for what has no length. */
export function requireSize(value: Value): number {
  const size = sizeOf(value);
  if (size === undefined) throw typeError(`object of type '${typeNameOf(value)}' has no len()`);
  return size;
}

/** Does it count as true in a condition? */
export function isTrue(value: Value): boolean {
  if (typeof value === "boolean") return value;
  if (value === null) return false;
  if (typeof value === "string") return value !== "";
  if (typeof value === "bigint") return value !== 0n;
  if (typeof value === "number") return value !== 0;
  return sizeOf(value) !== 0;
}
