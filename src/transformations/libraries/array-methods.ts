import { runLimits } from "../run-limits.ts";
import {
  checkListLength,
  joinTexts,
  kindOf,
  listOf,
  optionalNumber,
  readMember,
  toNumber,
  toText,
} from "./conversions.ts";
import { describeLibrary, type LibraryMethod } from "./library-method.ts";
import { searchInList } from "./list-places.ts";

/** Library Array without callbacks and declarations. Every method answers a new list and leaves its argument as it is. */
export const arrayMethods: readonly LibraryMethod[] = describeLibrary("Array", {
  at: { arguments: ["array", "index"], returns: "element", run: ([array, index]) => listOf(array).at(toNumber(index)) },
  concat: {
    arguments: ["array", "value..."],
    returns: "new array",
    run: ([array, ...values]) => concat(listOf(array), values),
  },
  copyWithin: {
    arguments: ["array", "target", "start?", "end?"],
    returns: "new array",
    run: ([array, target, start, end]) =>
      [...listOf(array)].copyWithin(toNumber(target), optionalNumber(start) ?? 0, optionalNumber(end)),
  },
  fill: {
    arguments: ["array", "value", "start?", "end?"],
    returns: "new array",
    run: ([array, value, start, end]) => listOf(array).slice().fill(value, optionalNumber(start), optionalNumber(end)),
  },
  flat: {
    arguments: ["array", "depth?"],
    returns: "new array",
    run: ([array, depth]) => flatten(listOf(array), optionalNumber(depth) ?? 1),
  },
  from: { arguments: ["iterable"], returns: "array", run: ([iterable]) => listFrom(iterable) },
  getIndex: { arguments: ["array", "index"], returns: "element", run: ([array, index]) => getIndex(array, index) },
  includes: searchInList(
    false,
    (list, value, from) => list.includes(value, from),
    (text, search, from) => text.includes(search, from),
  ),
  indexOf: searchInList(
    -1,
    (list, value, from) => list.indexOf(value, from),
    (text, search, from) => text.indexOf(search, from),
  ),
  isArray: { arguments: ["value"], returns: "boolean", run: ([value]) => Array.isArray(value) },
  join: {
    arguments: ["array", "separator?"],
    returns: "string",
    run: ([array, separator]) => joinTexts(listOf(array), separator === undefined ? "," : toText(separator)),
  },
  lastIndexOf: searchInList(
    -1,
    // Native lastIndexOf takes a given undefined for 0.
    (list, value, from) => list.lastIndexOf(value, from ?? list.length),
    (text, search, from) => text.lastIndexOf(search, from),
  ),
  length: { arguments: ["array"], returns: "number", run: ([array]) => lengthOf(array) },
  of: { arguments: ["element..."], returns: "array", run: (elements) => [...elements] },
  pop: {
    arguments: ["array"],
    returns: "{value, array}",
    run: ([array]) => ({ value: listOf(array).at(-1), array: listOf(array).slice(0, -1) }),
  },
  push: {
    arguments: ["array", "element..."],
    returns: "new array",
    run: ([array, ...elements]) => join(listOf(array), elements),
  },
  reverse: { arguments: ["array"], returns: "new array", run: ([array]) => listOf(array).slice().reverse() },
  setIndex: {
    arguments: ["array", "index", "value"],
    returns: "new array",
    run: ([array, index, value]) => setIndex(listOf(array), index, value),
  },
  shift: {
    arguments: ["array"],
    returns: "{value, array}",
    run: ([array]) => ({ value: listOf(array)[0], array: listOf(array).slice(1) }),
  },
  slice: {
    arguments: ["array", "begin?", "end?"],
    returns: "new array",
    run: ([array, begin, end]) =>
      (typeof array === "string" ? array : listOf(array)).slice(optionalNumber(begin), optionalNumber(end)),
  },
  splice: {
    arguments: ["array", "start", "deleteCount?", "element..."],
    returns: "{array, spliced}",
    run: ([array, ...rest]) => splice(listOf(array), rest),
  },
  toString: {
    arguments: ["array"],
    returns: "string",
    run: ([array]: readonly unknown[]) => joinTexts(listOf(array), ","),
  },
  unshift: {
    arguments: ["array", "element..."],
    returns: "new array",
    run: ([array, ...elements]) => join(elements, listOf(array)),
  },
});

/** Declarations of the library Array. */
export const arrayDeclarations: readonly LibraryMethod[] = describeLibrary("Array", {
  "new Array": {
    arguments: ["element..."],
    returns: "array",
    run: (elements) => (elements.every(isUnset) ? [] : [...elements]),
  },
  "new Array#1": { arguments: ["length"], returns: "array", polymorphIndex: 1, run: ([length]) => emptyList(length) },
});

function isUnset(value: unknown): boolean {
  return value === undefined;
}

function join(first: readonly unknown[], second: readonly unknown[]): unknown[] {
  checkListLength(first.length + second.length);
  return first.concat(second);
}

function concat(list: readonly unknown[], values: readonly unknown[]): unknown[] {
  let length = list.length;
  for (const value of values) length += Array.isArray(value) ? value.length : 1;
  checkListLength(length);
  return list.concat(...values);
}

function flatten(list: readonly unknown[], depth: number): unknown[] {
  const flat: unknown[] = [];
  const add = (elements: readonly unknown[], left: number): void => {
    for (const element of elements) {
      if (Array.isArray(element) && left >= 1) add(element, left - 1);
      else flat.push(element);
      checkListLength(flat.length);
    }
  };
  add(list, depth);
  return flat;
}

function listFrom(value: unknown): unknown[] {
  if (value === null || value === undefined)
    throw new TypeError(`needs something to make a list of, not ${kindOf(value)}`);
  if (typeof value === "string") checkListLength(value.length);
  if (typeof value === "string" || Array.isArray(value) || value instanceof Set) return Array.from(value);
  const length = Math.trunc(toNumber(readMember(value, "length")));
  if (!(length > 0)) return [];
  checkListLength(length);
  return Array.from({ length }, (_, index) => readMember(value, String(index)));
}

/** A plain subscript: also of texts and objects. */
export function getIndex(value: unknown, index: unknown): unknown {
  if (value === null || value === undefined)
    throw new TypeError(`cannot read "${toText(index).slice(0, 100)}" of ${kindOf(value)}`);
  return readMember(value, toText(index));
}

/** Length of a list or text; undefined for anything else that has none of its own. */
export function lengthOf(value: unknown): unknown {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return getIndex(value, "length");
}

/** A copy with one place replaced. A key that is no index changes nothing, as lists have elements only. */
export function setIndex(list: readonly unknown[], index: unknown, value: unknown): unknown[] {
  const key = toText(index);
  const copy = list.slice();
  if (!/^(?:0|[1-9]\d*)$/u.test(key)) return copy;
  checkListLength(Number(key) + 1);
  copy[Number(key)] = value;
  return copy;
}

function splice(list: readonly unknown[], [start, deleteCount, ...elements]: readonly unknown[]): unknown {
  checkListLength(list.length + elements.length);
  const array = list.slice();
  const count = deleteCount === undefined ? array.length : toNumber(deleteCount);
  const spliced = array.splice(toNumber(start ?? 0), count, ...elements);
  return { array, spliced };
}

function emptyList(length: unknown): unknown[] {
  const count = length === undefined ? 0 : toNumber(length);
  if (!Number.isInteger(count) || count < 0 || count > runLimits.listLength) {
    throw new RangeError(`${toText(length).slice(0, 100)} is no length of a list`);
  }
  // Empty places, as in JavaScript: callbacks pass over them until they are filled.
  const list: unknown[] = [];
  list.length = count;
  return list;
}
