import { isJsonObject } from "../../core/json.ts";
import type { IndexDefinition } from "../indexes.ts";
import { jsonPath, sqlText } from "./json-path.ts";

/** The SQL expression of an indexed field: the text that index and query must have in common. */
export function indexedExpression(field: string): string {
  return field === "_id" ? "id" : `json_extract(doc, ${sqlText(jsonPath(field.split(".")))})`;
}

/** Indexed fields of a collection, `_id` included, with their expressions. */
export function indexedFields(indexes: readonly IndexDefinition[]): ReadonlyMap<string, string> {
  const fields = new Set(["_id", ...indexes.flatMap((index) => index.fields)]);
  return new Map([...fields].map((field) => [field, indexedExpression(field)]));
}

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
