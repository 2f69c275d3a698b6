import { readPointer } from "./json-pointer.ts";
import { valuesOfText, type Comparison, type ListCondition, type ListSelection } from "./list-query.ts";

/** A page of values that are held in memory, selected exactly as `findPage` selects documents of a store; `fields` name top-level members only. */
export function selectInMemory<T extends object>(
  items: readonly T[],
  selection: ListSelection,
): { results: T[]; total: number } {
  const matches = items.filter((item) => selection.conditions.every((condition) => doesMatch(item, condition)));
  const sorted = matches.sort((a, b) => compareBy(a, b, selection.sort));
  const results = sorted.slice(selection.skip, selection.skip + selection.limit);
  return { results: results.map((item) => projected(item, selection.fields)), total: matches.length };
}

const comparisons: Readonly<Record<Comparison, (value: unknown, texts: readonly string[]) => boolean>> = {
  equals: isAnyOf,
  in: isAnyOf,
  "not-equals": (value, texts) => !isAnyOf(value, texts),
  "not-in": (value, texts) => !isAnyOf(value, texts),
  contains: (value, [text = ""]) => typeof value === "string" && value.toLowerCase().includes(text.toLowerCase()),
  "starts-with": (value, [text = ""]) => typeof value === "string" && value.startsWith(text),
  "ends-with": (value, [text = ""]) => typeof value === "string" && value.endsWith(text),
  gt: (value, texts) => order(value, texts, (sign) => sign > 0),
  gte: (value, texts) => order(value, texts, (sign) => sign >= 0),
  lt: (value, texts) => order(value, texts, (sign) => sign < 0),
  lte: (value, texts) => order(value, texts, (sign) => sign <= 0),
};

function doesMatch(item: object, { field, comparison, texts }: ListCondition): boolean {
  return comparisons[comparison](valueAt(item, field), texts);
}

function isAnyOf(value: unknown, texts: readonly string[]): boolean {
  return texts.flatMap(valuesOfText).some((candidate) => candidate === (value ?? null));
}

function order(value: unknown, [text = ""]: readonly string[], isWanted: (sign: number) => boolean): boolean {
  const other = valuesOfText(text).find((candidate) => typeof candidate === typeof value);
  return other !== undefined && other !== null && isWanted(compare(value, other));
}

function compareBy(a: object, b: object, sort: ListSelection["sort"]): number {
  for (const [field, direction] of Object.entries(sort)) {
    const sign = compare(valueAt(a, field), valueAt(b, field));
    if (sign !== 0) return sign * direction;
  }
  return 0;
}

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === undefined || a === null) return -1;
  if (b === undefined || b === null) return 1;
  return a < b ? -1 : 1;
}

function valueAt(item: object, field: string): unknown {
  return readPointer(item, `/${field.replaceAll(".", "/")}`);
}

function projected<T extends object>(item: T, fields: ListSelection["fields"]): T {
  if (!fields) return item;
  const isKept = Object.values(fields)[0] === 1;
  return Object.fromEntries(Object.entries(item).filter(([name]) => Object.hasOwn(fields, name) === isKept)) as T;
}
