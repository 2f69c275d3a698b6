import type { IndexDefinition } from "../indexes.ts";
import type { Condition, Test } from "../query/condition.ts";
import type { ParsedFindOptions } from "../query/find-options.ts";
import { demands } from "../sql/counted-condition.ts";

/** Of how many documents a condition on counted fields is true. */
export interface Matching {
  /** All documents of the collection. */
  all: number;
  /** Those that satisfy what is demanded of all counted fields. */
  together: number;
  /** Those that satisfy what is demanded of the one counted field with an index of its own that leaves the fewest. */
  fewest: number;
  /** That field; undefined where none leaves fewer than all. */
  narrowest?: string | undefined;
}

/** How documents are found. */
export interface Way {
  /** Of the counted fields and `_id`, the one whose index is used; undefined: SQLite chooses. */
  by?: string | undefined;
  /** First the page is found by an index that knows all that is asked for, then its documents are read. */
  isLate: boolean;
}

/** What reading costs, in microseconds on a common machine: an entry of an index, a document. */
const entryUs = 0.5;
const documentUs = 10;
/** Up to this, matches are gathered and sorted: that takes as long wherever in the order they lie. */
const gatherUs = 10_000;
/** To pass over more than this is left to an index, where one knows enough; documents are read for the page alone. */
const fewSkipped = 1_000;

/**
 * How a page is read: in the order of an index that has it, by gathering all matches of one field and sorting
 * them, or by walking an index in the order of the sort and passing over what does not match. SQLite knows too
 * little of the data to choose itself.
 */
export function chooseWay(
  indexes: readonly IndexDefinition[],
  condition: Condition,
  options: Pick<ParsedFindOptions, "sort" | "skip" | "limit">,
  matching: Matching,
): Way {
  const { narrowest } = matching;
  const sorted = options.sort.map(({ path }) => path.join("."));
  const [first = "_id"] = sorted;
  const isCovered = isCovering(startingWith(indexes, narrowest), [...fieldsOf(condition), ...sorted]);
  const gathering = gatheringUs(matching, isCovered);
  if (options.limit === undefined) return { by: gathering <= gatherUs ? narrowest : undefined, isLate: false };
  const isFarOn = options.skip > fewSkipped;
  const inOrder = fieldsInOrder(indexes, condition, first);
  if (narrowest !== undefined && inOrder.includes(narrowest)) return { by: narrowest, isLate: isFarOn };
  if (gathering <= gatherUs) return { by: narrowest, isLate: isCovered };
  if (inOrder.length > 0) return { by: inOrder[0], isLate: isFarOn };
  if (walkingUs(indexes, condition, options, matching) < gathering) return { by: first, isLate: isFarOn };
  return isCovered ? { by: narrowest, isLate: true } : { isLate: false };
}

/**
 * Are the documents of a page better read last, whatever the counts say? When it begins far on, and when an index
 * begins with a value that is asked for and knows all else, but not in the order of the sort.
 */
export function isReadLast(
  indexes: readonly IndexDefinition[],
  condition: Condition,
  { sort, skip, limit }: Pick<ParsedFindOptions, "sort" | "skip" | "limit">,
): boolean {
  if (limit === undefined) return false;
  const sorted = sort.map(({ path }) => path.join("."));
  if (fieldsInOrder(indexes, condition, sorted[0] ?? "_id").length > 0) return skip > fewSkipped;
  const equal = new Set(equalFields(condition));
  const gathered = indexes.filter(({ fields: [field = ""] }) => equal.has(field));
  return skip > fewSkipped || isCovering(gathered, [...fieldsOf(condition), ...sorted]);
}

/** How documents are counted, where counted fields alone do not tell. */
export function chooseCounting(
  indexes: readonly IndexDefinition[],
  condition: Condition,
  { fewest, narrowest }: Pick<Matching, "fewest" | "narrowest">,
): Way | "by range" {
  const fields = fieldsOf(condition);
  const us = fewest * (isCovering(startingWith(indexes, narrowest), fields) ? entryUs : documentUs);
  if (us <= gatherUs) return { by: narrowest, isLate: false };
  const isByRange = rangedFields(condition).some((range) => isCovering(startingWith(indexes, range), fields));
  return isByRange ? "by range" : { isLate: false };
}

/** What it costs to find all matches by the narrowest field, and to read them unless an index knows enough. */
function gatheringUs({ fewest, together }: Matching, isCovered: boolean): number {
  return fewest * entryUs + (isCovered ? 0 : together * documentUs);
}

/** What it costs to go along the order of the sort until there are enough that match; endless where no index has that order. */
function walkingUs(
  indexes: readonly IndexDefinition[],
  condition: Condition,
  { sort, skip, limit = 0 }: Pick<ParsedFindOptions, "sort" | "skip" | "limit">,
  { all, together }: Matching,
): number {
  const first = sort[0]?.path.join(".") ?? "_id";
  const walked = startingWith(indexes, first);
  if (walked.length === 0 && first !== "_id") return Number.POSITIVE_INFINITY;
  const passed = Math.min(all, ((skip + limit) * all) / Math.max(1, together));
  return passed * (isCovering(walked, fieldsOf(condition)) ? entryUs : documentUs);
}

/** Fields of which one value is demanded. */
function equalFields(condition: Condition): string[] {
  return demands(condition).flatMap((item) =>
    item.kind === "field" && item.test.test === "oneOf" && item.test.values.length === 1 ? [item.path.join(".")] : [],
  );
}

/** Those of them by whose index documents come in the order of the field `first`. */
function fieldsInOrder(indexes: readonly IndexDefinition[], condition: Condition, first: string): string[] {
  const equal = new Set(equalFields(condition));
  return indexes.flatMap(({ fields: [field = "", next = "_id"] }) => (next === first && equal.has(field) ? field : []));
}

/** Fields of which a range is demanded. */
function rangedFields(condition: Condition): string[] {
  return demands(condition).flatMap((item) =>
    item.kind === "field" && item.test.test === "compare" ? [item.path.join(".")] : [],
  );
}

/** The indexes that begin with a field; all where it is undefined. */
function startingWith(indexes: readonly IndexDefinition[], field: string | undefined): readonly IndexDefinition[] {
  return field === undefined ? indexes : indexes.filter(({ fields }) => fields[0] === field);
}

/** Does one of the indexes hold all these fields? Every index holds `_id`. */
function isCovering(indexes: readonly IndexDefinition[], fields: readonly string[]): boolean {
  return indexes.some((index) => fields.every((field) => field === "_id" || index.fields.includes(field)));
}

/** The fields a condition asks for. For one that only the document itself can answer: a name that no index has. */
function fieldsOf(condition: Condition): string[] {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.conditions.flatMap(fieldsOf);
    case "not":
      return fieldsOf(condition.condition);
    case "field":
      return [isOfValues(condition.test) ? condition.path.join(".") : ""];
  }
}

function isOfValues({ test }: Test): boolean {
  return test === "oneOf" || test === "compare" || test === "regex";
}
