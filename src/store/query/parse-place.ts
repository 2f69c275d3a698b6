import { badRequest, type PlatformError } from "../../core/errors.ts";

/** Limits of one query: nesting, conditions, values of one list, segments, characters and array indexes of one path, characters of one expression, keys of one order. */
export const queryLimits = {
  depth: 20,
  conditions: 1000,
  listValues: 1000,
  pathSegments: 20,
  pathLength: 1000,
  indexSegments: 4,
  regexLength: 1000,
  sortKeys: 16,
} as const;

/** Where in the query parsing stands, and what all of it has used up so far. */
export interface Place {
  /** JSON pointer from the root of the query. */
  pointer: string;
  depth: number;
  used: { conditions: number };
}

export function rootPlace(): Place {
  return { pointer: "", depth: 0, used: { conditions: 0 } };
}

/** One level deeper. */
export function enter(place: Place, member: string | number): Place {
  const segment = String(member).replaceAll("~", "~0").replaceAll("/", "~1");
  const deeper = { pointer: `${place.pointer}/${segment}`, depth: place.depth + 1, used: place.used };
  if (deeper.depth > queryLimits.depth) throw refused(place, `is nested deeper than ${queryLimits.depth} levels`);
  return deeper;
}

/** Counts one more condition. */
export function countCondition(place: Place): void {
  place.used.conditions += 1;
  if (place.used.conditions > queryLimits.conditions)
    throw refused(place, `has more than ${queryLimits.conditions} conditions`);
}

/** The error for what is wrong at a place. */
export function refused(place: Place, problem: string): PlatformError {
  const path = place.pointer === "" ? "/" : place.pointer;
  return badRequest(`The query ${problem} (at ${path})`, [{ path, message: problem }]);
}
