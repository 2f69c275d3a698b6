import { isJsonObject } from "../../core/json.ts";

/**
 * What is wrong with the value of an indexed field, if anything: it must be text, a finite number or
 * nothing (null or missing), so that the index alone answers a query on it.
 */
export function indexedFieldProblem(document: object, path: readonly string[]): string | undefined {
  let value: unknown = document;
  for (const name of path) {
    if (Array.isArray(value)) return "lies within an array";
    if (!isJsonObject(value)) return undefined;
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  if (value === undefined || value === null || typeof value === "string" || typeof value === "number") return undefined;
  return "is neither text nor a number";
}
