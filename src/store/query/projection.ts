import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { FindOptions } from "../store.ts";
import { enter, refused, rootPlace } from "./parse-place.ts";
import { parsePath } from "./path.ts";

/** Picks the wanted members of a document, which keep their order. */
export type Projection = (document: JsonObject) => JsonObject;

/** Member → everything below it (true) or only some members of it. */
type Selection = Map<string, Selection | true>;

/**
 * Reads `fields`: either paths to keep (`_id` stays unless it is 0) or paths to leave out. Paths
 * reach through arrays. Mixing both, or another value than 0 and 1, is a PlatformError BAD_REQUEST.
 */
export function parseProjection(fields: FindOptions["fields"] = {}): Projection {
  const isKeeping = readKind(fields);
  const names = Object.keys(fields).filter((name) => name !== "_id");
  // The identifier is kept unless it is 0, and left out only when it is.
  if ((fields["_id"] !== 0) === isKeeping) names.push("_id");
  if (!isKeeping && names.length === 0) return (document) => document;
  const selection = select(names);
  return isKeeping ? (document) => keepMembers(document, selection) : (document) => dropMembers(document, selection);
}

/** True: the fields name what to keep; false: what to leave out. */
function readKind(fields: Readonly<Record<string, 0 | 1>>): boolean {
  const { _id: ofId, ...others } = fields;
  const values = Object.values(others);
  const isKeeping = values.length === 0 ? ofId === 1 : values.includes(1);
  for (const [name, value] of Object.entries(fields)) {
    const place = enter(rootPlace(), name);
    if (value !== 0 && value !== 1) throw refused(place, "allows only 0 and 1 in fields");
    if (name !== "_id" && (value === 1) !== isKeeping) throw refused(place, "mixes fields to keep and to leave out");
  }
  return isKeeping;
}

function select(names: readonly string[]): Selection {
  const selection: Selection = new Map();
  for (const name of names) addPath(selection, parsePath(name, enter(rootPlace(), name)));
  return selection;
}

function addPath(selection: Selection, path: readonly string[]): void {
  const [name = "", ...rest] = path;
  const known = selection.get(name);
  if (known === true) return;
  if (rest.length === 0) {
    selection.set(name, true);
    return;
  }
  const deeper: Selection = known ?? new Map();
  selection.set(name, deeper);
  addPath(deeper, rest);
}

function keepMembers(object: JsonObject, selection: Selection): JsonObject {
  const kept: [string, Json | undefined][] = [];
  for (const [name, value] of Object.entries(object)) {
    const chosen = selection.get(name);
    if (chosen === true) kept.push([name, value]);
    else if (chosen && typeof value === "object" && value !== null) kept.push([name, keepWithin(value, chosen)]);
  }
  return Object.fromEntries(kept);
}

function keepWithin(value: Json[] | JsonObject, selection: Selection): Json {
  if (!Array.isArray(value)) return keepMembers(value, selection);
  const structured = value.filter((item): item is Json[] | JsonObject => typeof item === "object" && item !== null);
  return structured.map((item) => keepWithin(item, selection));
}

function dropMembers(object: JsonObject, selection: Selection): JsonObject {
  const kept: [string, Json | undefined][] = [];
  for (const [name, value] of Object.entries(object)) {
    const chosen = selection.get(name);
    if (chosen !== true) kept.push([name, chosen && value !== undefined ? dropWithin(value, chosen) : value]);
  }
  return Object.fromEntries(kept);
}

function dropWithin(value: Json, selection: Selection): Json {
  if (Array.isArray(value)) return value.map((item) => dropWithin(item, selection));
  return isJsonObject(value) ? dropMembers(value, selection) : value;
}
