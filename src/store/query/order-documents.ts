import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { compareText } from "./compare-text.ts";
import type { Path } from "./condition.ts";
import type { SortKey } from "./find-options.ts";

/** The order of two documents by the keys of a sort: the plain reading of what `parseFindOptions` says of orders. */
export function compareDocuments(left: JsonObject, right: JsonObject, sort: readonly SortKey[]): number {
  for (const { path, direction } of sort) {
    const order = compareValues(valueAt(left, path), valueAt(right, path));
    if (order !== 0) return order * direction;
  }
  return 0;
}

function valueAt(document: JsonObject, path: Path): Json {
  let value: Json | undefined = document;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value ?? null;
}

function compareValues(left: Json, right: Json): number {
  const byRank = rankOf(left) - rankOf(right);
  if (byRank !== 0) return byRank;
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  return typeof left === "object" ? 0 : Math.sign(Number(left) - Number(right));
}

const rankOfType = { number: 1, string: 2, object: 3, boolean: 5 };

/** Null or missing, numbers, strings, objects, arrays, booleans. */
function rankOf(value: Json): number {
  if (value === null) return 0;
  return Array.isArray(value) ? 4 : rankOfType[typeof value as keyof typeof rankOfType];
}
