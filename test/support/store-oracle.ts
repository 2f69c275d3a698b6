import { isJsonObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { compareText } from "../../src/store/query/compare-text.ts";
import { matches } from "../../src/store/query/matches.ts";
import { parseQuery, type Query } from "../../src/store/query.ts";

export interface OracleOptions {
  sort: Readonly<Record<string, 1 | -1>>;
  skip: number;
  limit: number | undefined;
}

/** What a find must answer, computed the plain way over all documents. */
export function findPlainly(documents: readonly JsonObject[], query: Query, options: OracleOptions): JsonObject[] {
  const condition = parseQuery(query);
  const found = documents.filter((document) => matches(condition, document));
  found.sort((left, right) => compareDocuments(left, right, options.sort));
  return found.slice(options.skip, options.limit === undefined ? undefined : options.skip + options.limit);
}

function compareDocuments(left: JsonObject, right: JsonObject, sort: OracleOptions["sort"]): number {
  for (const [path, direction] of Object.entries(sort)) {
    const order = compareValues(valueAt(left, path), valueAt(right, path));
    if (order !== 0) return order * direction;
  }
  return compareValues(left["_id"] ?? null, right["_id"] ?? null) * (Object.values(sort).at(-1) ?? 1);
}

function valueAt(document: JsonObject, path: string): Json {
  let value: Json | undefined = document;
  for (const name of path.split("."))
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value ?? null;
}

function compareValues(left: Json, right: Json): number {
  const byRank = rank(left) - rank(right);
  if (byRank !== 0) return byRank;
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  return typeof left === "object" ? 0 : Math.sign(Number(left) - Number(right));
}

function rank(value: Json): number {
  if (value === null) return 0;
  if (Array.isArray(value)) return 4;
  return { number: 1, string: 2, object: 3, boolean: 5 }[typeof value as "number" | "string" | "object" | "boolean"];
}
