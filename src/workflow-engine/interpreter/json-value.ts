import type { InputSize } from "../../core/input-size.ts";
import { StoredValue } from "../../core/stored-value.ts";
import { TaskError } from "../../core/task.ts";

const deepest = 500;

/** What a value holds. */
export interface Contents extends InputSize {
  /** Kept in the store. */
  stored: StoredValue[];
}

/** To be filled in. */
export function noContents(): Contents {
  return { stored: [], characters: 0, elements: 0 };
}

/**
 * The value as it will be read back from the log: no undefined members, no functions, dates as ISO
 * text, NaN and infinities as null. Returns the same object where nothing has to change, so that
 * clean values cost a walk and no copy. Values kept in the store stay as they are. Deeper than 500 levels or
 * cyclic: TaskError. `contents` takes note of what there is.
 */
export function asJson(value: unknown, depth = 0, contents?: Contents): unknown {
  if (contents) contents.elements += 1;
  if (depth > deepest) throw new TaskError("The value is nested deeper than 500 levels");
  switch (typeof value) {
    case "string":
      if (contents) contents.characters += value.length;
      return value;
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "bigint":
      return Number(value);
    case "object":
      return value === null ? null : objectAsJson(value, depth, contents);
    default:
      return undefined;
  }
}

function objectAsJson(value: object, depth: number, contents: Contents | undefined): unknown {
  if (Array.isArray(value)) return arrayAsJson(value, depth, contents);
  if (value instanceof StoredValue) {
    contents?.stored.push(value);
    return value;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Set) return arrayAsJson([...value], depth, contents);
  if (value instanceof RegExp) return String(value);
  return membersAsJson(value, depth, contents);
}

function arrayAsJson(array: unknown[], depth: number, contents: Contents | undefined): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const clean = asJson(array[index], depth + 1, contents) ?? null;
    if (clean !== array[index]) copy ??= array.slice();
    if (copy) copy[index] = clean;
  }
  return copy ?? array;
}

function membersAsJson(value: object, depth: number, contents: Contents | undefined): object {
  const members = Object.entries(value);
  let isChanged = false;
  for (const member of members) {
    if (contents) contents.characters += member[0].length;
    const clean = asJson(member[1], depth + 1, contents);
    if (clean !== member[1] || clean === undefined) isChanged = true;
    member[1] = clean;
  }
  return isChanged ? Object.fromEntries(members.filter(([, clean]) => clean !== undefined)) : value;
}
