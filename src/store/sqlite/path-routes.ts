import type { Path } from "../query/condition.ts";
import { isIndex } from "../query/path.ts";
import { jsonPath } from "./json-path.ts";

/** One member of an object, and the array elements by index that directly follow it, as one JSON path. */
export interface Hop {
  path: string;
  /** The member's name could be an index: elements of an array without it lead nowhere. */
  isNumeric: boolean;
  /** Ends with an index: leads somewhere only if that element exists. */
  isIndexed: boolean;
}

/** Every way to read a path: each numeric segment but the first is either a member's name or an index. */
export function routesOf(path: Path): Hop[][] {
  let routes: Hop[][] = [[]];
  path.forEach((segment, position) => {
    const byName = routes.map((route) => [
      ...route,
      { path: jsonPath([segment]), isNumeric: position > 0 && isIndex(segment), isIndexed: false },
    ]);
    const byIndex = position > 0 && isIndex(segment) ? routes.map((route) => withIndex(route, segment)) : [];
    routes = [...byName, ...byIndex];
  });
  return routes;
}

function withIndex(route: readonly Hop[], index: string): Hop[] {
  const last = route.at(-1);
  if (!last) return [];
  return [...route.slice(0, -1), { ...last, path: `${last.path}[${index}]`, isIndexed: true }];
}
