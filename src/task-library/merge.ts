import { Type } from "@sinclair/typebox";
import { isJsonObject } from "../core/json.ts";
import { TaskError } from "../core/task.ts";
import { setMember } from "../workflow-engine/interpreter/query-path-members.ts";
import type { ArgumentKind } from "./arguments.ts";

/** One item of `data_to_merge`; its reference is already replaced by the plain value. */
export interface MergeItem {
  key?: string | number | null;
  value?: unknown;
}

export const mergeItems: ArgumentKind<readonly MergeItem[]> = {
  expected: "an array of {key, value}",
  schema: Type.Array(
    Type.Object(
      { key: Type.Optional(Type.Unknown()), value: Type.Optional(Type.Unknown()) },
      { additionalProperties: true },
    ),
  ),
  accepts: (value) => Array.isArray(value) && value.every((item) => isJsonObject(item) && isKey(item["key"])),
};

function isKey(key: unknown): boolean {
  return key === undefined || key === null || typeof key === "string" || typeof key === "number";
}

function keyOf({ key }: MergeItem): string {
  return String(key ?? "");
}

/** No keys: the array of the values. Keys: an object, where a repeated key holds the array of its values. */
export function mergeByKey(items: readonly MergeItem[]): unknown {
  const keyed = items.filter((item) => keyOf(item) !== "");
  if (keyed.length === 0 && items.length > 0) return items.map(({ value }) => value ?? null);
  if (keyed.length < items.length) {
    throw new TaskError("Schema validation failed on data_to_merge: either every item or no item may have a key");
  }
  const values = new Map<string, unknown[]>();
  for (const item of keyed) {
    const list = values.get(keyOf(item));
    if (list) list.push(item.value);
    else values.set(keyOf(item), [item.value]);
  }
  const merged: Record<string, unknown> = {};
  for (const [key, list] of values) setMember(merged, key, list.length > 1 ? list : list[0]);
  return merged;
}

/** The first value with the members of the second merged into it; a second value that is no object changes nothing. */
export function deepMerge(target: unknown, source: unknown): unknown {
  if (!isJsonObject(source)) return target;
  const merged: Record<string, unknown> = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(source)) {
    const present = Object.hasOwn(merged, key) ? merged[key] : undefined;
    setMember(merged, key, isJsonObject(value) && isJsonObject(present) ? deepMerge(present, value) : value);
  }
  return merged;
}
