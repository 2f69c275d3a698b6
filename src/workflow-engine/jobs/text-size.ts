import { StoredValue } from "../../core/stored-value.ts";

// An escaped character takes six characters of JSON text, the longest number 24.
const longestEscape = 6;
const longestScalar = 25;

/**
 * What is left of `room` characters when the JSON text of the value takes the most it may take;
 * negative when it does not surely fit. Looks no further than the room goes. What is kept in the store never fits:
 * its JSON text would be its marker.
 */
export function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length * longestEscape - 2;
  if (typeof value !== "object" || value === null) return room - longestScalar;
  if (value instanceof StoredValue) return Number.NEGATIVE_INFINITY;
  return Array.isArray(value) ? roomAfterArray(value, room - 2) : roomAfterMembers(value, room - 2);
}

function roomAfterArray(array: readonly unknown[], room: number): number {
  let left = room;
  for (let index = 0; index < array.length && left >= 0; index++) left = roomAfter(array[index], left - 1);
  return left;
}

function roomAfterMembers(object: object, room: number): number {
  let left = room;
  for (const name of Object.keys(object)) {
    if (left < 0) return left;
    left = roomAfter((object as Record<string, unknown>)[name], left - name.length * longestEscape - 4);
  }
  return left;
}
