import { countsOf, type CountDefinition } from "../indexes.ts";
import { all, hasRegex, type Condition } from "../query/condition.ts";
import type { ParsedFindOptions } from "../query/find-options.ts";
import {
  countablePart,
  doubtfulAlternatives,
  isCountable,
  replaceSearches,
  textSearches,
  withoutAlternatives,
} from "../sql/counted-condition.ts";
import { chooseCounting, chooseWay, isReadLast, type Matching } from "./choose-walk.ts";
import { totalsStatement, valuesStatement } from "./count-tables.ts";
import type { QueriedCollection } from "./find-statement.ts";
import type { StoreReader } from "./store-reader.ts";

/** How SQLite shall read. */
export interface ReadPlan {
  /** Means the same as the one that was asked for. */
  condition: Condition;
  /** Fields whose indexes are not used to find documents. */
  passedOver: ReadonlySet<string>;
  /** First the page is found, then its documents are read. */
  isLate: boolean;
}

/** A search that finds more different values than this is left to the documents. */
const mostValues = 1000;
const nothingPassedOver: ReadonlySet<string> = new Set();

/** What the count tables know: totals, values, and by them how to read. */
export class CountReader {
  readonly #reader: StoreReader;

  constructor(reader: StoreReader) {
    this.#reader = reader;
  }

  /** The number of documents that satisfy the condition; undefined where counted fields alone do not tell. */
  #total(collection: QueriedCollection, condition: Condition): number | undefined {
    const count = countsIn(collection).find(({ fields }) => isCountable(condition, new Set(fields)));
    return count && this.#totals(count, [condition])[0];
  }

  planFind(collection: QueriedCollection, asked: Condition, options: ParsedFindOptions): ReadPlan {
    const condition = this.#resolved(collection, asked);
    const matching = this.#matching(collection, condition);
    const { indexes } = collection;
    if (!matching) return { condition, passedOver: nothingPassedOver, isLate: isReadLast(indexes, condition, options) };
    const { by, isLate } = chooseWay(indexes, condition, options, matching);
    return { condition, passedOver: allBut(collection, by), isLate };
  }

  /** How many documents satisfy the condition, or how to find out where counted fields alone do not tell. */
  planCount(collection: QueriedCollection, asked: Condition): number | Omit<ReadPlan, "isLate"> {
    const known = this.#total(collection, asked);
    if (known !== undefined) return known;
    const condition = this.#resolved(collection, asked);
    const total = condition === asked ? undefined : this.#total(collection, condition);
    if (total !== undefined) return total;
    const matching = this.#matching(collection, condition);
    if (!matching) return { condition, passedOver: nothingPassedOver };
    const way = chooseCounting(collection.indexes, condition, matching);
    return { condition, passedOver: way === "by range" ? fieldsOf(collection) : allBut(collection, way.by) };
  }

  /** The condition as the counts simplify it. */
  #resolved(collection: QueriedCollection, condition: Condition): Condition {
    return this.#withoutEmpty(collection, this.#withValues(collection, condition));
  }

  /** Alternatives that demand of a counted field what no document has are left out. */
  #withoutEmpty(collection: QueriedCollection, condition: Condition): Condition {
    const empty = countsIn(collection).flatMap((count) => {
      const asked = doubtfulAlternatives(condition, new Set(count.fields));
      if (asked.length === 0) return [];
      const totals = this.#totals(
        count,
        asked.map(({ demanded }) => demanded),
      );
      return asked.flatMap(({ alternative }, index) => (totals[index] === 0 ? [alternative] : []));
    });
    return empty.length === 0 ? condition : withoutAlternatives(condition, new Set(empty));
  }

  /** Searches within texts of counted fields become the values they find, which indexes can serve. */
  #withValues(collection: QueriedCollection, condition: Condition): Condition {
    const valuesOf = new Map(
      textSearches(condition, fieldsOf(collection)).flatMap(({ field, test }) => {
        const count = countsIn(collection).find(({ fields }) => fields.includes(field));
        if (!count) return [];
        const { sql, parameters } = valuesStatement(count, { field, test, limit: mostValues + 1 });
        const values = this.#reader.all<{ value: string }>(sql, parameters).map(({ value }) => value);
        // A character that cannot be read stands for others.
        const isKnown = values.length <= mostValues && !values.some((value) => value.includes("\ufffd"));
        return isKnown ? [[test, values] as const] : [];
      }),
    );
    return valuesOf.size === 0 ? condition : replaceSearches(condition, valuesOf);
  }

  #matching(collection: QueriedCollection, condition: Condition): Matching | undefined {
    if (hasRegex(condition)) return undefined;
    return countsIn(collection)
      .flatMap((count) => this.#matchingBy(collection, count, condition) ?? [])
      .reduce<Matching | undefined>(fewer, undefined);
  }

  /** What one count table knows of it. */
  #matchingBy({ indexes }: QueriedCollection, count: CountDefinition, condition: Condition): Matching | undefined {
    const part = countablePart(condition, new Set(count.fields));
    if (!part) return undefined;
    const found = count.fields.filter((field) => indexes.some(({ fields }) => fields[0] === field));
    const singles = found.flatMap((field) => {
      const single = countablePart(part, new Set([field]));
      return single ? [{ field, single }] : [];
    });
    const asked = [all([]), part, ...singles.map(({ single }) => single)];
    const [total = 0, together = 0, ...each] = this.#totals(count, asked);
    const fewest = Math.min(total, ...each);
    return { all: total, together, fewest, narrowest: singles[each.indexOf(fewest)]?.field };
  }

  #totals(count: CountDefinition, conditions: readonly Condition[]): number[] {
    const { sql, parameters } = totalsStatement(count, conditions);
    const row = this.#reader.get<Record<string, number>>(sql, parameters) ?? {};
    return conditions.map((_, index) => row[`t${index}`] ?? 0);
  }
}

/** What two count tables know together. */
function fewer(one: Matching | undefined, other: Matching): Matching {
  if (!one) return other;
  const narrower = other.fewest < one.fewest ? other : one;
  return { ...narrower, together: Math.min(one.together, other.together) };
}

/** The counted fields but one; none of them where there is no one to keep. */
function allBut(collection: QueriedCollection, kept: string | undefined): ReadonlySet<string> {
  if (kept === undefined) return nothingPassedOver;
  const fields = fieldsOf(collection);
  fields.delete(kept);
  return fields;
}

function countsIn({ name, indexes }: QueriedCollection): CountDefinition[] {
  return countsOf(name, indexes);
}

/** The fields of all count tables. */
function fieldsOf(collection: QueriedCollection): Set<string> {
  return new Set(countsIn(collection).flatMap(({ fields }) => fields));
}
