import { JinjaError, typeError, valueError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { Dict } from "./dict.ts";
import { likewise } from "./markup.ts";
import { requireSmallIndex } from "./numbers.ts";
import { reprOf } from "./repr.ts";
import { charactersIn, hasPairs, lengthOf, substringOf } from "./text-units.ts";
import { Undefined } from "./undefined.ts";
import { PythonObject, Range, Slice, Tuple, asInteger, charactersOf, isText, typeNameOf, type Value } from "./value.ts";

/** Python's `owner[key]`, undefined where there is none or it cannot be asked for. UndefinedError of an undefined owner. */
export function findItem(budget: Budget, owner: Value, key: Value): Value | undefined {
  budget.charge(1);
  if (owner instanceof Dict) return isKey(key) ? owner.get(key) : undefined;
  if (owner instanceof Undefined) throw owner.error();
  const index = asInteger(key);
  if (index !== undefined) return elementAt(budget, owner, index);
  return owner instanceof PythonObject && typeof key === "string" ? owner.item?.(key) : undefined;
}

function isKey(key: Value): boolean {
  if (typeof key === "string") return true;
  if (Array.isArray(key) || key instanceof Dict || key instanceof Slice) return false;
  return !(key instanceof Tuple) || key.items.every(isKey);
}

function elementAt(budget: Budget, owner: Value, index: bigint): Value | undefined {
  if (Array.isArray(owner)) return atPlace(owner, index);
  if (owner instanceof Tuple) return atPlace(owner.items, index);
  if (isText(owner)) {
    const character = characterOf(budget, charactersOf(owner), index);
    return character === undefined ? undefined : likewise(owner, character);
  }
  if (!(owner instanceof Range)) return undefined;
  const place = index < 0n ? index + owner.length : index;
  return place >= 0n && place < owner.length ? owner.start + place * owner.step : undefined;
}

function characterOf(budget: Budget, text: string, index: bigint): string | undefined {
  budget.chargeScan(text.length);
  if (!hasPairs(text)) return text.at(Number(index));
  budget.chargeCharacters(text.length);
  return atPlace(Array.from(text), index);
}

function atPlace<T>(items: readonly T[], index: bigint): T | undefined {
  return items[Number(index < 0n ? index + BigInt(items.length) : index)];
}

/** Python's `owner[key]`, with its errors. */
export function requireItem(budget: Budget, owner: Value, key: Value): Value {
  if (key instanceof Slice) return sliceOf(budget, owner, key);
  const value = findItem(budget, owner, key);
  if (value !== undefined) return value;
  if (owner instanceof Dict) throw new JinjaError("KeyError", reprOf(budget, key));
  if (asInteger(key) !== undefined && isSequence(owner))
    throw new JinjaError("IndexError", `${typeNameOf(owner)} index out of range`);
  if (isSequence(owner))
    throw typeError(`${typeNameOf(owner)} indices must be integers or slices, not ${typeNameOf(key)}`);
  throw typeError(`'${typeNameOf(owner)}' object is not subscriptable`);
}

function isSequence(value: Value): boolean {
  return Array.isArray(value) || isText(value) || value instanceof Tuple || value instanceof Range;
}

/** Python's `owner[start:stop:step]`. */
export function sliceOf(budget: Budget, owner: Value, slice: Slice): Value {
  if (owner instanceof Undefined) throw owner.error();
  if (owner instanceof Dict) throw typeError("unhashable type: 'slice'");
  if (!isSequence(owner)) throw typeError(`'${typeNameOf(owner)}' object is not subscriptable`);
  if (owner instanceof Range) return sliceOfRange(owner, slice);
  if (isText(owner)) {
    const text = charactersOf(owner);
    budget.chargeText(text.length);
    return likewise(owner, pickText(budget, text, slice));
  }
  const items = owner instanceof Tuple ? owner.items : (owner as Value[]);
  budget.chargeList(items.length);
  const picked = pick(items, slice);
  return owner instanceof Tuple ? new Tuple(picked) : picked;
}

function pick<T>(items: readonly T[], slice: Slice): T[] {
  const { start, stop, step } = boundsOf(slice, items.length);
  if (step === 1) return items.slice(start, Math.max(start, stop));
  const picked: T[] = [];
  for (let index = start; step > 0 ? index < stop : index > stop; index += step) picked.push(items[index] as T);
  return picked;
}

function pickText(budget: Budget, text: string, slice: Slice): string {
  const { start, stop, step } = boundsOf(slice, lengthOf(text));
  if (step === 1) return substringOf(text, start, Math.max(start, stop));
  budget.chargeCharacters(text.length);
  return pick(charactersIn(text), slice).join("");
}

function sliceOfRange(range: Range, slice: Slice): Range {
  const { start, stop, step } = boundsOf(slice, Number(range.length));
  const at = (index: number) => range.start + BigInt(index) * range.step;
  return new Range(at(start), at(stop), range.step * BigInt(step));
}

/** Where a slice of so many elements begins, before where it ends, and how it goes. */
function boundsOf(slice: Slice, length: number): { start: number; stop: number; step: number } {
  const step = slice.step === null ? 1 : sliceIndex(slice.step);
  if (step === 0) throw valueError("slice step cannot be zero");
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (value: Value, standard: number): number => {
    if (value === null) return standard;
    const index = sliceIndex(value);
    return Math.min(Math.max(index < 0 ? index + length : index, low), high);
  };
  return { start: clamp(slice.start, step > 0 ? low : high), stop: clamp(slice.stop, step > 0 ? high : low), step };
}

function sliceIndex(value: Value): number {
  if (asInteger(value) === undefined)
    throw typeError("slice indices must be integers or None or have an __index__ method");
  return requireSmallIndex(value);
}
