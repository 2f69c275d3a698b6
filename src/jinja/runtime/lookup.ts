import { typeError } from "../errors.ts";
import { findItem, sliceOf } from "../values/subscript.ts";
import { Undefined } from "../values/undefined.ts";
import {
  Callable,
  Slice,
  charactersOf,
  isText,
  orElse,
  typeNameOf,
  type Keywords,
  type Value,
} from "../values/value.ts";
import type { Runtime } from "./runtime.ts";

/** `owner.name`: an attribute or method, else an item, else undefined. */
export function getAttribute(runtime: Runtime, owner: Value, name: string): Value {
  runtime.budget.charge(1);
  const attribute = runtime.attributeOf(owner, name);
  if (attribute !== undefined) return attribute;
  return orElse(findItem(runtime.budget, owner, name), () => new Undefined({ owner, name }));
}

/** `owner[key]`: an item, else an attribute or method, else undefined. */
export function getItem(runtime: Runtime, owner: Value, key: Value): Value {
  if (key instanceof Slice) return sliceOf(runtime.budget, owner, key);
  const item = findItem(runtime.budget, owner, key);
  if (item !== undefined) return item;
  const attribute = isText(key) ? runtime.attributeOf(owner, charactersOf(key)) : undefined;
  return orElse(attribute, () => new Undefined({ owner, name: key }));
}

/** `callee(…)`. */
export function callValue(callee: Value, args: readonly Value[], keywords: Keywords): Value {
  if (callee instanceof Callable) return callee.call(args, keywords);
  if (callee instanceof Undefined) throw callee.error();
  throw typeError(`'${typeNameOf(callee)}' object is not callable`);
}
