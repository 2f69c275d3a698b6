import { hostileTexts, hostileValue, ownMember } from "./hostile-values.ts";
import type { Random } from "./random.ts";

type Container = Record<string, unknown> | unknown[];

/** A place in a document: a container and one of its members or elements. */
export interface Place {
  container: Container;
  key: string;
}

/** Every place of a document, from the outside in; at most as many as keep a case quick. */
export function placesOf(root: unknown, most = 20_000): Place[] {
  const places: Place[] = [];
  const open: unknown[] = [root];
  // Grows while it is walked.
  for (const value of open) {
    if (!isContainer(value)) continue;
    for (const key of Object.keys(value)) {
      if (places.length >= most) return places;
      places.push({ container: value, key });
      open.push(readPlace({ container: value, key }));
    }
  }
  return places;
}

export function readPlace({ container, key }: Place): unknown {
  return Object.hasOwn(container, key) ? (container as Record<string, unknown>)[key] : undefined;
}

export function writePlace({ container, key }: Place, value: unknown): void {
  if (Array.isArray(container)) container[Number(key)] = value;
  else ownMember(key, value, container);
}

export function removePlace({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else Reflect.deleteProperty(container, key);
}

type Mutation = (place: Place, random: Random, places: readonly Place[]) => void;

const mutations: readonly Mutation[] = [
  (place) => removePlace(place),
  (place, random) => writePlace(place, hostileValue(random)),
  (place, random) => writePlace(place, hostileValue(random)),
  (place) => writePlace(place, otherType(readPlace(place))),
  rename,
  duplicate,
  (place, random, places) => writePlace(place, structuredClone(readPlace(random.pick(places)))),
  (place, random) => addMember(place, random),
];

/** A copy of a JSON document that was changed in this many places. */
export function mutate<T>(document: T, random: Random, times: number): T {
  const root = { document: structuredClone(document) };
  for (let time = 0; time < times; time++) {
    // The root itself is left: without it nothing of the document would be tried.
    const places = placesOf(root).slice(1);
    if (places.length === 0) break;
    random.pick(mutations)(pickPlace(places, random), random, places);
  }
  return root.document;
}

/** Outer places are few and decide most: half of the choices are among the first fifty. */
function pickPlace(places: readonly Place[], random: Random): Place {
  return random.pick(random.chance(0.5) ? places.slice(0, 50) : places);
}

function rename(place: Place, random: Random): void {
  const value = readPlace(place);
  removePlace(place);
  const name = random.chance(0.5) ? random.pick(hostileTexts) : `${place.key}x`;
  if (Array.isArray(place.container)) place.container.push(value);
  else ownMember(name, value, place.container);
}

function duplicate(place: Place, random: Random): void {
  const { container, key } = place;
  const value = readPlace(place);
  if (!Array.isArray(container)) {
    ownMember(`${key}2`, structuredClone(value), container);
    return;
  }
  const copies = random.pick([1, 2, 50]);
  container.push(...Array.from({ length: copies }, () => structuredClone(value)));
}

function addMember(place: Place, random: Random): void {
  const value = readPlace(place);
  if (Array.isArray(value)) value.push(hostileValue(random));
  else if (isMembers(value)) ownMember(random.pick(hostileTexts), hostileValue(random), value);
  else writePlace(place, [value]);
}

function otherType(value: unknown): unknown {
  if (typeof value === "string") return value.length;
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  if (isContainer(value)) return Object.values(value);
  return value === null ? "" : null;
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}

export function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
