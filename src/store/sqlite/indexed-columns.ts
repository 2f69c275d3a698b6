import type { IndexDefinition } from "../indexes.ts";
import { sqlText } from "../sql/sql-names.ts";
import { jsonPath } from "./json-path.ts";

/** The SQL expression of an indexed field: the text that index and query must have in common. `row`: `NEW.` or `OLD.` in a trigger. */
export function indexedExpression(field: string, row: "" | "NEW." | "OLD." = ""): string {
  return field === "_id" ? `${row}id` : `json_extract(${row}doc, ${sqlText(jsonPath(field.split(".")))})`;
}

/** Indexed fields of a collection, `_id` included, with their expressions. */
export function indexedFields(indexes: readonly IndexDefinition[]): ReadonlyMap<string, string> {
  const fields = new Set(["_id", ...indexes.flatMap((index) => index.fields)]);
  return new Map([...fields].map((field) => [field, indexedExpression(field)] as const));
}
