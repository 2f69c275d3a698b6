import { getIndex, setIndex } from "./array-methods.ts";
import {
  checkListLength,
  defineMember,
  isObject,
  isRecord,
  kindOf,
  listOf,
  objectOf,
  readMember,
  textsOf,
  toText,
} from "./conversions.ts";
import { describeLibrary, type LibraryMethod, type MethodContext } from "./library-method.ts";

/** Library Object. Reads and writes own members only; `__proto__` and the like are members as any other. */
export const objectMethods: readonly LibraryMethod[] = describeLibrary("Object", {
  "new Object": {
    arguments: ["literal?"],
    returns: "object",
    run: ([literal], context) => newObject(literal, context),
  },
  assign: {
    arguments: ["target", "source..."],
    returns: "new object",
    run: ([target, ...sources], context) => assign(recordOf(target), sources, context),
  },
  deleteProperty: {
    arguments: ["object", "key"],
    returns: "new object",
    run: ([object, key], context) => deleteMember(object, toText(key), context),
  },
  entries: {
    arguments: ["object"],
    returns: "[[key, value]...]",
    run: ([object]) => keysOf(object).map((key) => [key, readMember(object, key)]),
  },
  fromEntries: {
    arguments: ["entries"],
    returns: "object",
    run: ([entries], { charge }) => fromEntries(listOf(entries), charge),
  },
  getProperty: { arguments: ["object", "key"], returns: "value", run: ([object, key]) => getIndex(object, key) },
  hasOwnProperty: {
    arguments: ["object", "key"],
    returns: "boolean",
    run: ([object, key]: readonly unknown[]) => Object.hasOwn(objectOf(object), toText(key)),
  },
  keys: { arguments: ["object"], returns: "array", run: ([object]) => keysOf(object) },
  "optional chaining": {
    arguments: ["object", "key..."],
    returns: "value or undefined",
    run: ([object, ...keys]) => follow(object, keys),
  },
  setProperty: {
    arguments: ["object", "key", "value"],
    returns: "new object",
    run: ([object, key, value], context) => setMember(object, key, { value, context }),
  },
  toString: {
    arguments: ["object"],
    returns: "string",
    run: ([object]: readonly unknown[]) => toText(objectOf(object)),
  },
  values: {
    arguments: ["object"],
    returns: "array",
    run: ([object]) => keysOf(object).map((key) => readMember(object, key)),
  },
});

function newObject(literal: unknown, { charge }: MethodContext): unknown {
  if (literal === undefined || literal === null) return {};
  if (typeof literal !== "string") return literal;
  charge(literal.length / 2);
  return JSON.parse(literal) as unknown;
}

function recordOf(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new TypeError(`needs an object, not ${kindOf(value)}`);
}

function keysOf(value: unknown): string[] {
  const keys = Object.keys(objectOf(value));
  checkListLength(keys.length);
  return keys;
}

/** A copy of the members; objects with many of them count against what a run may copy. */
function copyOf(object: Record<string, unknown>, { charge }: MethodContext): Record<string, unknown> {
  charge(Object.keys(object).length);
  return { ...object };
}

function setMember(
  object: unknown,
  key: unknown,
  { value, context }: { value: unknown; context: MethodContext },
): unknown {
  if (Array.isArray(object)) return setIndex(object, key, value);
  const copy = copyOf(recordOf(object), context);
  defineMember(copy, toText(key), value);
  return copy;
}

function deleteMember(object: unknown, key: string, context: MethodContext): unknown {
  if (!Array.isArray(object)) {
    const copy = copyOf(recordOf(object), context);
    delete copy[key];
    return copy;
  }
  const list: unknown[] = object.slice();
  if (/^(?:0|[1-9]\d*)$/u.test(key)) Reflect.deleteProperty(list, key);
  return list;
}

function assign(target: Record<string, unknown>, sources: readonly unknown[], context: MethodContext): unknown {
  const copy = copyOf(target, context);
  for (const source of sources) {
    if (source === undefined || source === null) continue;
    const keys = keysOf(source);
    context.charge(keys.length);
    for (const key of keys) defineMember(copy, key, readMember(source, key));
  }
  return copy;
}

function fromEntries(entries: readonly unknown[], charge: (cells: number) => void): Record<string, unknown> {
  const odd = entries.findIndex((entry) => !isObject(entry));
  if (odd >= 0) throw new TypeError(`needs entries of key and value, not ${kindOf(entries[odd])}`);
  const keys = textsOf(
    entries.map((entry) => readMember(entry, "0")),
    charge,
  );
  const object: Record<string, unknown> = {};
  for (const [index, key] of keys.entries()) defineMember(object, key, readMember(entries[index], "1"));
  return object;
}

function follow(object: unknown, keys: readonly unknown[]): unknown {
  let value = object;
  for (const key of keys) {
    if (value === undefined || value === null) return undefined;
    value = readMember(value, toText(key));
  }
  return value;
}
