import type { FindOptions } from "../store.ts";
import type { Path } from "./condition.ts";
import { enter, queryLimits, refused, rootPlace } from "./parse-place.ts";
import { parsePath } from "./path.ts";
import { parseProjection, type Projection } from "./projection.ts";

/** One key of an order; 1 ascending, -1 descending. */
export interface SortKey {
  path: Path;
  direction: 1 | -1;
}

/** Options of a find, checked. */
export interface ParsedFindOptions {
  /** Ends with `_id`, so that the order is total; that last key follows the direction of the key before it. */
  sort: readonly SortKey[];
  skip: number;
  /** Undefined: no limit. */
  limit: number | undefined;
  project: Projection;
}

/**
 * Checks the options of a find; anything odd is a PlatformError BAD_REQUEST naming the place.
 * Order of values (as in MongoDB): null or missing, numbers, strings, objects, arrays, booleans;
 * objects among themselves, and arrays, are equal. A sort path does not reach into arrays.
 */
export function parseFindOptions(options: FindOptions = {}): ParsedFindOptions {
  const sort = parseSort(options.sort);
  const project = parseProjection(options.fields);
  return { sort, skip: wholeNumber(options, "skip") ?? 0, limit: wholeNumber(options, "limit"), project };
}

function parseSort(sort: FindOptions["sort"] = {}): SortKey[] {
  const keys: SortKey[] = Object.entries(sort).map(([name, direction]) => {
    const place = enter(rootPlace(), name);
    if (direction !== 1 && direction !== -1) throw refused(place, "allows only 1 and -1 in sort");
    return { path: parsePath(name, place), direction };
  });
  if (keys.length > queryLimits.sortKeys)
    throw refused(rootPlace(), `has more than ${queryLimits.sortKeys} keys in sort`);
  if (Object.hasOwn(sort, "_id")) return keys;
  return [...keys, { path: ["_id"], direction: keys.at(-1)?.direction ?? 1 }];
}

function wholeNumber(options: FindOptions, name: "skip" | "limit"): number | undefined {
  const value = options[name];
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw refused(enter(rootPlace(), name), `needs a whole number from 0 for ${name}`);
}
