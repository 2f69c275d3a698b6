import { StoredValue } from "../../core/stored-value.ts";
import { TaskError } from "../../core/task.ts";

const deepest = 500;

/**
 * The value as it will be read back from the log: no undefined members, no functions, dates as ISO
 * text, NaN and infinities as null. Returns the same object where nothing has to change, so that
 * clean values cost a walk and no copy. Values kept in the store stay as they are. Deeper than 500 levels or
 * cyclic: TaskError. `stored` takes note of what is kept in the store.
 */
export function asJson(value: unknown, depth = 0, stored?: StoredValue[]): unknown {
  if (depth > deepest) throw new TaskError("The value is nested deeper than 500 levels");
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "bigint":
      return Number(value);
    case "object":
      return value === null ? null : objectAsJson(value, depth, stored);
    default:
      return undefined;
  }
}

function objectAsJson(value: object, depth: number, stored: StoredValue[] | undefined): unknown {
  if (Array.isArray(value)) return arrayAsJson(value, depth, stored);
  if (value instanceof StoredValue) {
    stored?.push(value);
    return value;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Set) return arrayAsJson([...value], depth, stored);
  if (value instanceof RegExp) return String(value);
  return membersAsJson(value, depth, stored);
}

function arrayAsJson(array: unknown[], depth: number, stored: StoredValue[] | undefined): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const clean = asJson(array[index], depth + 1, stored) ?? null;
    if (clean !== array[index]) copy ??= array.slice();
    if (copy) copy[index] = clean;
  }
  return copy ?? array;
}

function membersAsJson(value: object, depth: number, stored: StoredValue[] | undefined): object {
  const members = Object.entries(value);
  let isChanged = false;
  for (const member of members) {
    const clean = asJson(member[1], depth + 1, stored);
    if (clean !== member[1] || clean === undefined) isChanged = true;
    member[1] = clean;
  }
  return isChanged ? Object.fromEntries(members.filter(([, clean]) => clean !== undefined)) : value;
}
