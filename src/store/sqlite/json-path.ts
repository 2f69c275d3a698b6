import type { Path } from "../query/condition.ts";

/** SQLite's JSON path through these members; each name is quoted like a JSON string, whatever it holds. */
export function jsonPath(path: Path): string {
  return `$${path.map((name) => `.${JSON.stringify(name)}`).join("")}`;
}
