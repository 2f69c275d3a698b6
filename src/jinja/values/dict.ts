import { typeError } from "../errors.ts";
import { Undefined } from "./undefined.ts";
import { Markup, PythonObject, Range, Slice, Tuple, typeNameOf, type Value } from "./value.ts";

/** A dictionary that keeps the order of its members. Keys that Python holds for equal (1, 1.0, True) are one key. */
export class Dict extends PythonObject {
  readonly typeName = "dict";
  readonly #members = new Map<unknown, [Value, Value]>();

  static of(members: Iterable<readonly [Value, Value]>): Dict {
    const dict = new Dict();
    for (const [key, value] of members) dict.set(key, value);
    return dict;
  }

  get size(): number {
    return this.#members.size;
  }

  get(key: Value): Value | undefined {
    return this.#members.get(keyOf(key))?.[1];
  }

  has(key: Value): boolean {
    return this.#members.has(keyOf(key));
  }

  set(key: Value, value: Value): void {
    const sameKey = keyOf(key);
    const found = this.#members.get(sameKey);
    if (found) found[1] = value;
    else this.#members.set(sameKey, [key, value]);
  }

  delete(key: Value): boolean {
    return this.#members.delete(keyOf(key));
  }

  clear(): void {
    this.#members.clear();
  }

  entries(): IterableIterator<[Value, Value]> {
    return this.#members.values();
  }
}

/** A live view of a dictionary's keys, values or members. */
export class DictView extends PythonObject {
  readonly typeName: string;
  readonly dict: Dict;
  readonly part: "keys" | "values" | "items";

  constructor(dict: Dict, part: "keys" | "values" | "items") {
    super();
    this.dict = dict;
    this.part = part;
    this.typeName = `dict_${part}`;
  }

  *values(): Generator<Value> {
    for (const [key, value] of this.dict.entries()) {
      if (this.part === "items") yield new Tuple([key, value]);
      else yield this.part === "keys" ? key : value;
    }
  }
}

/** Something that is the same for keys that Python holds for equal. TypeError for values that cannot be keys. */
export function keyOf(key: Value): unknown {
  if (typeof key === "string") return key.charCodeAt(0) === 0 ? `\0s${key}` : key;
  if (typeof key === "bigint" || key === null) return key;
  if (typeof key === "number") return Number.isInteger(key) ? BigInt(key) : key;
  if (typeof key === "boolean") return key ? 1n : 0n;
  return keyOfObject(key);
}

function keyOfObject(key: Value[] | PythonObject): unknown {
  if (key instanceof Markup) return keyOf(key.text);
  if (key instanceof Tuple) return `\0t${key.items.map((item) => partOfKey(keyOf(item))).join("")}`;
  if (key instanceof Undefined) return "\0u";
  if (key instanceof Range) return `\0r${key.length > 0n ? `${key.start} ${key.step} ${key.length}` : ""}`;
  if (Array.isArray(key) || key instanceof Dict || key instanceof Slice || key instanceof DictView)
    throw typeError(`unhashable type: '${typeNameOf(key)}'`);
  return key;
}

function partOfKey(part: unknown): string {
  const text = typeof part === "object" && part !== null ? "object" : String(part);
  return `${typeof part} ${text.length} ${text}`;
}
