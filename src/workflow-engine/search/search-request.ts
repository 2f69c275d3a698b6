import { badRequest, PlatformError, type ErrorDetail } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { pointerToken } from "../../core/json-pointer.ts";
import { largestPage } from "../../core/schemas.ts";
import { parseFindOptions } from "../../store/query/find-options.ts";
import { parseQuery } from "../../store/query.ts";
import { refuseInternalMember } from "../jobs/header-members.ts";
import type { SearchOptions } from "./search-schema.ts";

/** A search, read and checked. */
export interface Search {
  query: JsonObject;
  sort: Readonly<Record<string, 1 | -1>>;
  skip: number;
  limit: number;
  fields: Readonly<Record<string, 0 | 1>> | undefined;
  expand: readonly string[];
}

/** How a search is read. */
export interface SearchReading {
  /** Page size where the client names none. */
  defaultLimit: number;
  /** Members that cannot be searched or sorted by, with what to do instead. */
  refused?: (root: string) => string | undefined;
}

/** A query of the request, and where it stands there. */
export interface PlacedQuery {
  query: JsonObject;
  /** JSON pointer, such as `/body/options/query`. */
  place: string;
}

const optionsPlace = "/body/options";

/**
 * Reads the options of a search, and a query beside them. BAD_REQUEST names the place of what is wrong:
 * an operator outside the store's list, an internal member, a page beyond 1,000. `limit` 0 means 1,000.
 */
export function readSearch(options: SearchOptions, reading: SearchReading, beside?: PlacedQuery): Search {
  const queries = [
    beside,
    options.query && { query: options.query, place: `${optionsPlace}/query` },
    options.filter && { query: options.filter, place: `${optionsPlace}/filter` },
  ].filter((query) => query !== undefined);
  for (const { query, place } of queries) checkQuery(query, place, reading);
  const sort = sortOf(options.sort, reading);
  const { page = {} } = options;
  return {
    query: allOf(queries.map(({ query }) => query)),
    sort,
    skip: options.skip ?? page.skip ?? 0,
    limit: (options.limit ?? page.limit ?? reading.defaultLimit) || largestPage,
    fields: fieldsOf(options),
    expand: options.expand ?? [],
  };
}

/** Reads the fields of an answer. BAD_REQUEST at `place` when they cannot be read. */
export function readFields(fields: SearchOptions["fields"], place: string): Search["fields"] {
  if (!fields) return undefined;
  const numbers = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ? 1 : 0] as const));
  for (const name of Object.keys(numbers)) refuseInternalMember(name, `${place}/${pointerToken(name)}`);
  within(place, () => parseFindOptions({ fields: numbers }));
  return numbers;
}

/** BAD_REQUEST when the query is not one of the store's language, or names a member that cannot be searched. */
export function checkQuery(query: JsonObject, place: string, { refused = () => undefined }: Partial<SearchReading>) {
  within(place, () => parseQuery(query));
  checkMembers(query, place, refused);
}

function checkMembers(query: JsonObject, place: string, refused: NonNullable<SearchReading["refused"]>): void {
  for (const [name, value] of Object.entries(query)) {
    const at = `${place}/${pointerToken(name)}`;
    if (!name.startsWith("$")) checkMember(name, at, refused);
    else if (Array.isArray(value)) {
      value.forEach((part, index) => {
        if (isJsonObject(part)) checkMembers(part, `${at}/${index}`, refused);
      });
    }
  }
}

function checkMember(path: string, at: string, refused: NonNullable<SearchReading["refused"]>): void {
  refuseInternalMember(path, at);
  const problem = refused(path.split(".", 1)[0] ?? "");
  if (problem !== undefined) throw badRequest(`${problem} (at ${at})`, [{ path: at, message: problem }]);
}

function sortOf(sort: SearchOptions["sort"] = {}, { refused = () => undefined }: SearchReading): Search["sort"] {
  const keys = isFieldSort(sort)
    ? { [sort.field]: sort.direction === -1 || sort.direction === "desc" ? (-1 as const) : (1 as const) }
    : sort;
  const place = `${optionsPlace}/sort`;
  for (const name of Object.keys(keys)) checkMember(name, `${place}/${pointerToken(name)}`, refused);
  within(place, () => parseFindOptions({ sort: keys }));
  return keys;
}

type FieldSort = Extract<NonNullable<SearchOptions["sort"]>, { field: string }>;

function isFieldSort(sort: NonNullable<SearchOptions["sort"]>): sort is FieldSort {
  return typeof (sort as { field?: unknown }).field === "string";
}

function fieldsOf({ fields, projection }: SearchOptions): Search["fields"] {
  return readFields(fields, `${optionsPlace}/fields`) ?? readFields(projection, `${optionsPlace}/projection`);
}

function allOf(queries: readonly JsonObject[]): JsonObject {
  const [first = {}, ...others] = queries;
  return others.length === 0 ? first : { $and: queries as Json[] };
}

/** The places that the store names in a query begin with the place of the query in the request. */
function within(place: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const details = error.details.map(({ path, message }): ErrorDetail => ({ path: placed(place, path), message }));
    const [{ path, message } = { path: place, message: error.message }] = details;
    throw badRequest(`What is asked for ${message} (at ${path})`, details);
  }
}

function placed(place: string, path: string): string {
  return path === "/" ? place : place + path;
}
