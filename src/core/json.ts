/** A JSON value as it travels over the wire. The order of members is part of a document. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

/** A JSON object. `undefined` members are absent on the wire. */
export interface JsonObject {
  [member: string]: Json | undefined;
}

/** True for a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
