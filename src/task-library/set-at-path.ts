import { TaskError } from "../core/task.ts";
import { isIndex, readMember, setMember } from "../workflow-engine/interpreter/query-path-members.ts";

/** A copy of the value with another at the path; missing levels become objects. A path through a plain value: TaskError. */
export function setAtPath(container: unknown, keys: readonly (string | number)[], value: unknown, depth = 0): unknown {
  const key = String(keys[depth]);
  const place = ["obj", ...keys.slice(0, depth)].join("/");
  if (typeof container !== "object" || container === null) {
    throw new TaskError(`Schema validation failed on ${place}: expected an object or an array to set "${key}" in`);
  }
  const child = readMember(container, key).value;
  const below = depth + 1 < keys.length ? setAtPath(child ?? {}, keys, value, depth + 1) : value;
  return Array.isArray(container) ? withElement(container, key, below, place) : withMember(container, key, below);
}

function withMember(container: object, key: string, value: unknown): unknown {
  const copy: Record<string, unknown> = { ...container };
  setMember(copy, key, value);
  return copy;
}

function withElement(container: readonly unknown[], key: string, value: unknown, place: string): unknown {
  if (!isIndex(key) || Number(key) > container.length) {
    throw new TaskError(
      `Schema validation failed on path: "${key}" is no place of the array ${place}, which has ${container.length} elements`,
    );
  }
  const copy = [...container];
  copy[Number(key)] = value;
  return copy;
}
