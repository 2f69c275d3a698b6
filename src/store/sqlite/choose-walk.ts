import type { IndexDefinition } from "../indexes.ts";
import type { Condition } from "../query/condition.ts";
import type { ParsedFindOptions } from "../query/find-options.ts";
import { demands } from "../sql/counted-condition.ts";

/** Of how many documents a condition on counted fields is true. */
export interface Matching {
  /** All documents of the collection. */
  all: number;
  /** Those that satisfy what is demanded of all counted fields. */
  together: number;
  /** Those that satisfy what is demanded of the one counted field that leaves the fewest. */
  fewest: number;
  /** That field; undefined where none leaves fewer than all. */
  narrowest?: string | undefined;
}

/** What reading costs, in microseconds on a common machine: an entry of an index, a document. */
const entryUs = 0.3;
const documentUs = 5;
/** Up to this, matches are gathered and sorted: that takes as long wherever in the order they lie. */
const gatherUs = 25_000;

/**
 * Is a page read by walking an index in the order of the sort and passing over what does not match, and
 * not by gathering all matches and sorting them? SQLite knows too little of the data to choose itself.
 */
export function isWalked(
  indexes: readonly IndexDefinition[],
  condition: Condition,
  { sort, skip, limit }: Pick<ParsedFindOptions, "sort" | "skip" | "limit">,
  { all, together, fewest }: Matching,
): boolean {
  const first = sort[0]?.path.join(".") ?? "_id";
  const walked = indexes.find(({ fields }) => fields[0] === first);
  if (limit === undefined || (!walked && first !== "_id") || isServedInOrder(indexes, condition, first)) return false;
  const gathering = fewest * entryUs + together * documentUs;
  if (gathering <= gatherUs) return false;
  const passed = Math.min(all, ((skip + limit) * all) / Math.max(1, together));
  const isCovered = fieldsOf(condition).every((field) => walked?.fields.includes(field));
  return passed * (isCovered ? entryUs : documentUs) < gathering;
}

/**
 * The counted field by whose index matches are gathered, where that is quick in any case: SQLite, which takes
 * every value for as rare as any other, might choose one that most documents have.
 */
export function gatheringField({ fewest, narrowest }: Pick<Matching, "fewest" | "narrowest">): string | undefined {
  return fewest * documentUs <= gatherUs ? narrowest : undefined;
}

/** Is a range counted faster by an index that begins with its field and holds all others of the condition? */
export function isRangeCounted(
  indexes: readonly IndexDefinition[],
  condition: Condition,
  { fewest }: Pick<Matching, "fewest">,
): boolean {
  const fields = fieldsOf(condition);
  const isRange = (name: string | undefined): boolean =>
    demands(condition).some(
      (item) => item.kind === "field" && item.path.join(".") === name && item.test.test === "compare",
    );
  const isCovering = (index: IndexDefinition): boolean => fields.every((field) => index.fields.includes(field));
  return fewest * documentUs > gatherUs && indexes.some((index) => isRange(index.fields[0]) && isCovering(index));
}

/** An index that begins with a field of which one value is demanded gives the matches in the order of its next field. */
export function isServedInOrder(indexes: readonly IndexDefinition[], condition: Condition, first: string): boolean {
  const equal = new Set(
    demands(condition).flatMap((item) =>
      item.kind === "field" && item.test.test === "oneOf" && item.test.values.length === 1 ? [item.path.join(".")] : [],
    ),
  );
  return indexes.some(({ fields: [field, next = "_id"] }) => next === first && equal.has(field ?? ""));
}

function fieldsOf(condition: Condition): string[] {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.conditions.flatMap(fieldsOf);
    case "not":
      return fieldsOf(condition.condition);
    case "field":
      return [condition.path.join(".")];
  }
}
