import type { Path } from "../query/condition.ts";

/** SQLite's JSON path through these members; each name is quoted like a JSON string, whatever it holds. */
export function jsonPath(path: Path): string {
  return `$${path.map((name) => `.${JSON.stringify(name)}`).join("")}`;
}

/** A text literal of SQL. Only for the pre-defined indexes: an expression index matches its literal text; everything else is bound. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A quoted name of a table or an index. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
