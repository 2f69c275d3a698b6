import { isContainer } from "./mutate.ts";

/** Does a document still show the problem? */
export type IsFailing = (document: unknown) => Promise<boolean>;

type Path = readonly string[];

const mostTries = 400;

/**
 * A smaller document that still fails: each part in turn, from the outside in, is left out or emptied
 * where the problem stays. Ends at `untilMs` (of `performance.now`) with what it has.
 */
export async function minimise(document: unknown, isFailing: IsFailing, untilMs: number): Promise<unknown> {
  let smallest = document;
  let tries = 0;
  const open: Path[] = childPaths(smallest, []);
  // Grows while it is walked.
  for (const path of open) {
    for (const reduce of [without, emptied]) {
      const candidate = reduce(smallest, path);
      if (candidate === undefined) continue;
      if ((tries += 1) > mostTries || performance.now() > untilMs) return smallest;
      if (!(await isFailing(candidate))) continue;
      smallest = candidate;
      break;
    }
    open.push(...childPaths(readPath(smallest, path), path));
  }
  return smallest;
}

/** Elements from the last, so that leaving one out does not move those still to come. */
function childPaths(value: unknown, path: Path): Path[] {
  return isContainer(value)
    ? Object.keys(value)
        .toReversed()
        .map((key) => [...path, key])
    : [];
}

function readPath(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function without(root: unknown, path: Path): unknown {
  const copy: unknown = structuredClone(root);
  const container = readPath(copy, path.slice(0, -1));
  const key = path.at(-1) ?? "";
  if (!isContainer(container) || !Object.hasOwn(container, key)) return undefined;
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else Reflect.deleteProperty(container, key);
  return copy;
}

function emptied(root: unknown, path: Path): unknown {
  const value = readPath(root, path);
  const isBigText = typeof value === "string" && value.length > 1;
  if (!isBigText && (!isContainer(value) || Object.keys(value).length === 0)) return undefined;
  const copy: unknown = structuredClone(root);
  const container = readPath(copy, path.slice(0, -1)) as Record<string, unknown>;
  container[path.at(-1) ?? ""] = isBigText ? "x" : Array.isArray(value) ? [] : {};
  return copy;
}
