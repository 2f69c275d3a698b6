import { countedFields } from "../indexes.ts";
import { all, hasRegex, type Condition } from "../query/condition.ts";
import type { ParsedFindOptions } from "../query/find-options.ts";
import { countablePart, isCountable, replaceSearches, textSearches } from "../sql/counted-condition.ts";
import { isRangeCounted, isWalked, type Matching } from "./choose-walk.ts";
import { countedColumns, totalsStatement, valuesStatement } from "./count-tables.ts";
import type { QueriedCollection } from "./find-statement.ts";
import type { StoreReader } from "./store-reader.ts";

/** How SQLite shall read. */
export interface ReadPlan {
  /** Means the same as the one that was asked for. */
  condition: Condition;
  /** Fields whose indexes are not used to find documents. */
  passedOver: ReadonlySet<string>;
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
  total(collection: QueriedCollection, condition: Condition): number | undefined {
    const fields = fieldsOf(collection);
    if (fields.size === 0 || !isCountable(condition, fields)) return undefined;
    return this.#totals(collection, [condition])[0];
  }

  planFind(collection: QueriedCollection, asked: Condition, options: ParsedFindOptions): ReadPlan {
    const condition = this.#resolved(collection, asked);
    const matching = this.#matching(collection, condition);
    if (!matching || !isWalked(collection.indexes, condition, options, matching))
      return { condition, passedOver: nothingPassedOver };
    const passedOver = fieldsOf(collection);
    passedOver.delete(options.sort[0]?.path.join(".") ?? "");
    return { condition, passedOver };
  }

  planCount(collection: QueriedCollection, asked: Condition): ReadPlan {
    const condition = this.#resolved(collection, asked);
    const matching = this.#matching(collection, condition);
    const isByRange = matching && isRangeCounted(collection.indexes, condition, matching);
    return { condition, passedOver: isByRange ? fieldsOf(collection) : nothingPassedOver };
  }

  /** Searches within texts of counted fields become the values they find, which indexes can serve. */
  #resolved(collection: QueriedCollection, condition: Condition): Condition {
    const valuesOf = new Map(
      textSearches(condition, fieldsOf(collection)).flatMap(({ field, test }) => {
        const { sql, parameters } = valuesStatement(collection.name, { field, test, limit: mostValues + 1 });
        const values = this.#reader.all<{ value: string }>(sql, parameters).map(({ value }) => value);
        // A character that cannot be read stands for others.
        const isKnown = values.length <= mostValues && !values.some((value) => value.includes("\ufffd"));
        return isKnown ? [[test, values] as const] : [];
      }),
    );
    return valuesOf.size === 0 ? condition : replaceSearches(condition, valuesOf);
  }

  #matching(collection: QueriedCollection, condition: Condition): Matching | undefined {
    const fields = fieldsOf(collection);
    const part = fields.size === 0 || hasRegex(condition) ? undefined : countablePart(condition, fields);
    if (!part) return undefined;
    const singles = [...fields].flatMap((field) => countablePart(part, new Set([field])) ?? []);
    const [total = 0, together = 0, ...each] = this.#totals(collection, [all([]), part, ...singles]);
    return { all: total, together, fewest: Math.min(total, ...each) };
  }

  #totals(collection: QueriedCollection, conditions: readonly Condition[]): number[] {
    const { sql, parameters } = totalsStatement(collection.name, conditions, countedColumns(collection.indexes));
    const row = this.#reader.get<Record<string, number>>(sql, parameters) ?? {};
    return conditions.map((_, index) => row[`t${index}`] ?? 0);
  }
}

function fieldsOf({ indexes }: QueriedCollection): Set<string> {
  return new Set(countedFields(indexes));
}
