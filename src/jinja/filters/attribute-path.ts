import { getItem } from "../runtime/lookup.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { Undefined } from "../values/undefined.ts";
import { charactersOf, isText, type Value } from "../values/value.ts";

/** Reads something out of an element. */
export type Read = (item: Value) => Value;

interface ReadOptions {
  /** What undefined steps become; null: they stay undefined. */
  standard?: Value;
  after?: (value: Value) => Value;
}

/** What `attribute=` names: members one after the other, with dots between them; null is the element itself. */
export function attributeReader(
  runtime: Runtime,
  attribute: Value,
  { standard = null, after }: ReadOptions = {},
): Read {
  const parts = partsOf(attribute);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = getItem(runtime, value, part);
      if (standard !== null && value instanceof Undefined) value = standard;
    }
    return after ? after(value) : value;
  };
}

/** Several attributes with commas between them, as a list. */
export function attributesReader(runtime: Runtime, attribute: Value, options: ReadOptions = {}): Read {
  const named = attribute !== null && isText(attribute) ? charactersOf(attribute).split(",") : [attribute];
  const readers = named.map((one) => attributeReader(runtime, one, options));
  return (item) => readers.map((read) => read(item));
}

function partsOf(attribute: Value): Value[] {
  if (attribute === null) return [];
  if (!isText(attribute)) return [attribute];
  return charactersOf(attribute)
    .split(".")
    .map((part) => (/^\d+$/u.test(part) ? BigInt(part) : part));
}

/** Texts as small letters, so that they count as equal; other values as they are. */
export function ignoringCase(value: Value): Value {
  return isText(value) ? charactersOf(value).toLowerCase() : value;
}
