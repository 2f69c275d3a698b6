import { Dict } from "./values/dict.ts";
import type { Value } from "./values/value.ts";

/** A JSON value as templates see it: a number without a fraction is an int. Values that JSON does not have become None. */
export function fromJson(json: unknown): Value {
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : json;
  if (typeof json === "string" || typeof json === "boolean") return json;
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json !== "object" || json === null) return null;
  const dict = new Dict();
  const members = json as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    const value = members[key];
    if (value !== undefined) dict.set(key, fromJson(value));
  }
  return dict;
}
