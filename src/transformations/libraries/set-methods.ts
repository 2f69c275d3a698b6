import { checkListLength, isObject, isRecord, kindOf } from "./conversions.ts";
import { describeLibrary, type LibraryMethod } from "./library-method.ts";

/** Library Set. A set holds every object of a list: no two of them are the same. */
export const setMethods: readonly LibraryMethod[] = describeLibrary("Set", {
  "new Set": { arguments: ["iterable?"], returns: "Set", run: ([iterable]) => setFrom(iterable) },
  add: { arguments: ["set", "value"], returns: "new Set", run: ([set, value]) => setFrom([...setOf(set), value]) },
  delete: {
    arguments: ["set", "value"],
    returns: "new Set",
    run: ([set, value]) => setFrom([...setOf(set)].filter((element) => isObject(value) || element !== value)),
  },
  has: {
    arguments: ["set", "value"],
    returns: "boolean",
    run: ([set, value]) => !isObject(value) && setOf(set).has(value),
  },
  size: { arguments: ["set"], returns: "number", run: ([set]) => setOf(set).size },
});

function setOf(value: unknown): ReadonlySet<unknown> {
  if (value instanceof Set) return value;
  throw new TypeError(`needs a Set, not ${kindOf(value)}`);
}

function setFrom(value: unknown): Set<unknown> {
  if (value === undefined || value === null) return new Set();
  if (typeof value === "string") checkListLength(value.length);
  if (typeof value !== "string" && !Array.isArray(value) && !(value instanceof Set)) {
    throw new TypeError(`needs a list, not ${kindOf(value)}`);
  }
  const set = new Set<unknown>();
  for (const element of value) set.add(set.has(element) ? apart(element) : element);
  return set;
}

/** An object that occurs again counts as another one. */
function apart(element: unknown): unknown {
  if (Array.isArray(element)) return element.slice();
  return isRecord(element) ? { ...element } : element;
}
