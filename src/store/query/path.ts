import type { Path } from "./condition.ts";
import { queryLimits, refused, type Place } from "./parse-place.ts";

const loneSurrogate = /\p{Surrogate}/u;
const digits = /^(?:0|[1-9]\d{0,8})$/u;

/** Is the text free of halves of characters? Stores cannot compare such halves. */
export function isWellFormed(text: string): boolean {
  return !loneSurrogate.test(text);
}

/** A segment that may also be the index of an array element. */
export function isIndex(segment: string): boolean {
  return digits.test(segment);
}

/** Splits a dotted path; refuses empty segments, names that begin with `$` and paths beyond the limits. */
export function parsePath(text: string, place: Place): Path {
  const { pathLength, pathSegments, indexSegments } = queryLimits;
  if (text.length > pathLength) throw refused(place, `has a path of more than ${pathLength} characters`);
  if (!isWellFormed(text)) throw refused(place, "has a path that is not well-formed Unicode");
  const path = text.split(".");
  if (path.length > pathSegments) throw refused(place, `has a path of more than ${pathSegments} segments`);
  if (path.includes("")) throw refused(place, `has the path "${text}" with an empty segment`);
  if (path.some((segment) => segment.startsWith("$")))
    throw refused(place, `has the path "${text}" with a name that begins with "$"`);
  if (path.slice(1).filter(isIndex).length > indexSegments)
    throw refused(place, `has a path of more than ${indexSegments} array indexes`);
  return path;
}
