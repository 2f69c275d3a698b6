import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/**
 * Adds the members of `more` to those of `into`, which is changed: numbers are added to numbers, objects
 * member by member; everything else takes the place of what is there. Sums do not depend on the order
 * of additions while they are whole and below 2^53. `times`: as if it were done so often.
 */
export function addMembers(into: JsonObject, more: JsonObject, times = 1): void {
  for (const [name, value] of Object.entries(more)) {
    const earlier = Object.hasOwn(into, name) ? into[name] : undefined;
    if (isJsonObject(earlier) && isJsonObject(value)) addMembers(earlier, value, times);
    else if (typeof earlier === "number" && typeof value === "number") setMember(into, name, earlier + value * times);
    else setMember(into, name, value);
  }
}

/** Never reaches the prototype. */
function setMember(into: JsonObject, name: string, value: Json | undefined): void {
  if (name === "__proto__") {
    Object.defineProperty(into, name, { value, writable: true, enumerable: true, configurable: true });
  } else into[name] = value;
}
