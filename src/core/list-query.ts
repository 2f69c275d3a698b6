import { badRequest } from "./errors.ts";
import { escapeRegex } from "./escape-regex.ts";
import type { Json } from "./json.ts";
import { readPage, type PageOptions, type PageSource } from "./page.ts";
import { largestPage, type CoreListQuery, type FilterListQuery } from "./schemas.ts";

/** How a condition of a list compares a field with its text. */
export type Comparison =
  | "equals"
  | "contains"
  | "starts-with"
  | "ends-with"
  | "not-equals"
  | "in"
  | "not-in"
  | "gt"
  | "gte"
  | "lt"
  | "lte";

/** One condition of a list: `field` is a dotted path; `texts` has one element except for `in` and `not-in`. */
export interface ListCondition {
  field: string;
  comparison: Comparison;
  texts: readonly string[];
  /** The field holds numbers only. */
  isNumber?: boolean;
}

/** What a list request asks for, whatever style its parameters had. */
export interface ListSelection extends PageOptions {
  conditions: readonly ListCondition[];
}

/** What a list knows about its documents. */
export interface ListFields {
  /** Field that filters and sorting take when the request names none. Default `name`. */
  defaultField?: string;
  /** Wire name to the stored path, where they differ: `{ name: "username" }`. */
  storedAs?: Readonly<Record<string, string>>;
  /** Stored paths that hold numbers only: a bound that reads as a number is then none for texts, so that an index serves it. */
  numbers?: readonly string[];
  /** Page size without `limit`. Default 1,000 (decision 6). */
  defaultLimit?: number;
}

/** Reads the parameters of a list of platform management: spec `platform-management.md` §1.2. BAD_REQUEST names a wrong one. */
export function selectCoreList(query: CoreListQuery, fields: ListFields = {}): ListSelection {
  const single = (comparison: Comparison, text?: string, field?: string): ListCondition[] =>
    text === undefined ? [] : [{ field: storedField(field, fields), comparison, texts: [text] }];
  const multiple = (comparison: Comparison, parameter: "multiEquals" | "multiContains" | "multiStartsWith") =>
    Object.entries(fieldTexts(query[parameter], parameter)).flatMap(([field, text]) => single(comparison, text, field));
  return {
    ...page(query, fields),
    conditions: [
      ...single("equals", query.equals, query.equalsField),
      ...single("contains", query.contains, query.containsField),
      ...single("starts-with", query.startsWith, query.startsWithField),
      ...multiple("equals", "multiEquals"),
      ...multiple("contains", "multiContains"),
      ...multiple("starts-with", "multiStartsWith"),
    ],
  };
}

const filterParameters = [
  "equals",
  "contains",
  "starts-with",
  "ends-with",
  "not-equals",
  "in",
  "not-in",
  "gt",
  "gte",
  "lt",
  "lte",
] as const;

/** Reads the parameters of a list of the newer applications: spec `platform-management.md` §1.3. */
export function selectFilterList(query: FilterListQuery, fields: ListFields = {}): ListSelection {
  const bareField = { equals: query.equalsField, contains: query.containsField } as Partial<Record<string, string>>;
  const conditionsOf = (parameter: (typeof filterParameters)[number]): ListCondition[] => {
    const filter = query[parameter];
    if (filter === undefined) return [];
    const byField = typeof filter === "string" ? { [bareField[parameter] ?? ""]: filter } : filter;
    return Object.entries(byField).map(([name, value]) => {
      const field = storedField(name, fields);
      const isNumber = fields.numbers?.includes(field) ?? false;
      return { field, comparison: parameter, texts: filterTexts(parameter, value), isNumber };
    });
  };
  return { ...page(query, fields), conditions: filterParameters.flatMap(conditionsOf) };
}

/** The selection in the query language of the store; `further` conditions of the operation itself must match as well. */
export function toStoreQuery(
  selection: Pick<ListSelection, "conditions">,
  further: Record<string, Json> = {},
): Record<string, Json> {
  const conditions = selection.conditions.map(({ field, comparison, texts, isNumber = false }) => {
    const alternatives = storeOperators[comparison](texts, isNumber).map((operator) => ({ [field]: operator }));
    return alternatives.length === 1 ? (alternatives[0] ?? {}) : { $or: alternatives };
  });
  const all: Record<string, Json>[] = Object.keys(further).length > 0 ? [further, ...conditions] : conditions;
  return all.length > 1 ? { $and: all } : (all[0] ?? {});
}

/** One page of a collection, and the exact number of matches before paging (decision 6). */
export async function findPage<T extends object>(
  source: PageSource,
  collection: string,
  selection: ListSelection,
  further: Record<string, Json> = {},
): Promise<{ results: T[]; total: number }> {
  const query = toStoreQuery(selection, further);
  const { conditions: _, ...options } = selection;
  return readPage(source, collection, query, options);
}

/** What a text of a query string may stand for in a document: itself, a number, a boolean or null. */
export function valuesOfText(text: string): Json[] {
  const literals: Record<string, Json> = { true: true, false: false, null: null };
  if (Object.hasOwn(literals, text)) return [text, literals[text] ?? null];
  const number = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? [text, number] : [text];
}

/** Operators on a field, any of which may match. */
type ToOperators = (texts: readonly string[], isNumber: boolean) => Json[];

const first = (texts: readonly string[]): string => texts[0] ?? "";
const anyOf = (texts: readonly string[]): Json[] => texts.flatMap(valuesOfText);
// A bound is compared with values of its own type only: a text that reads as a number is tried as both, where both can be.
const bound =
  (operator: "$gt" | "$gte" | "$lt" | "$lte"): ToOperators =>
  (texts, isNumber) => {
    const values = valuesOfText(first(texts)).filter((value) => value !== null);
    const numbers = isNumber ? values.filter((value) => typeof value === "number") : [];
    return (numbers.length > 0 ? numbers : values).map((value) => ({ [operator]: value }));
  };

const storeOperators: Readonly<Record<Comparison, ToOperators>> = {
  equals: (texts) => [{ $in: anyOf(texts) }],
  contains: (texts) => [{ $regex: escapeRegex(first(texts)), $options: "i" }],
  // A range instead of an expression: an index can serve it. Nothing sorts after the last code point.
  "starts-with": (texts) => [{ $gte: first(texts), $lte: `${first(texts)}\u{10FFFF}` }],
  "ends-with": (texts) => [{ $regex: `${escapeRegex(first(texts))}$` }],
  "not-equals": (texts) => [{ $nin: anyOf(texts) }],
  in: (texts) => [{ $in: anyOf(texts) }],
  "not-in": (texts) => [{ $nin: anyOf(texts) }],
  gt: bound("$gt"),
  gte: bound("$gte"),
  lt: bound("$lt"),
  lte: bound("$lte"),
};

function page(query: CoreListQuery | FilterListQuery, fields: ListFields): Omit<ListSelection, "conditions"> {
  const sortField = storedField(query.sort, fields);
  const projection = selectFields(query);
  return {
    // The identifier breaks ties, so that pages neither repeat nor lose a document.
    sort: sortField === "_id" ? { _id: query.order ?? 1 } : { [sortField]: query.order ?? 1, _id: 1 },
    skip: query.skip ?? 0,
    limit: query.limit ?? fields.defaultLimit ?? largestPage,
    ...(projection ? { fields: projection } : {}),
  };
}

/** The fields to keep (1) or to leave out (0) that lists separated by commas name; undefined where there are none. */
export function selectFields(query: {
  include?: string | undefined;
  exclude?: string | undefined;
}): Record<string, 0 | 1> | undefined {
  const named = (list: string, keep: 0 | 1) =>
    Object.fromEntries(list.split(",").map((field) => [checkedField(field.trim()), keep] as const));
  if (query.include) return named(query.include, 1);
  return query.exclude ? named(query.exclude, 0) : undefined;
}

function storedField(field: string | undefined, { defaultField = "name", storedAs = {} }: ListFields): string {
  const name = field === undefined || field === "" ? defaultField : checkedField(field);
  return Object.hasOwn(storedAs, name) ? (storedAs[name] ?? name) : name;
}

function checkedField(field: string): string {
  if (/^[\w-]+(?:\.[\w-]+)*$/u.test(field)) return field;
  throw badRequest(`"${field}" is not the name of a field`, [
    { path: "/query", message: `"${field}" is not the name of a field` },
  ]);
}

function filterTexts(parameter: string, value: string | string[]): string[] {
  const isList = parameter === "in" || parameter === "not-in";
  const texts = [value].flat();
  return isList ? texts.flatMap((text) => text.split(",")) : texts.slice(-1);
}

function fieldTexts(value: Record<string, string> | string | undefined, parameter: string): Record<string, string> {
  if (typeof value !== "string") return value ?? {};
  const parsed = parsedJson(value);
  const isTexts =
    typeof parsed === "object" && parsed !== null && Object.values(parsed).every((text) => typeof text === "string");
  if (isTexts && !Array.isArray(parsed)) return parsed as Record<string, string>;
  const message = "must be an object of field names and texts";
  throw badRequest(`${parameter} ${message}`, [{ path: `/query/${parameter}`, message }]);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
