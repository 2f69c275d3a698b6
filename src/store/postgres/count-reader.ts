import { countsOf, type CountDefinition } from "../indexes.ts";
import type { Condition } from "../query/condition.ts";
import { isCountable, replaceSearches, textSearches, type TextSearch } from "../sql/counted-condition.ts";
import { keysStatement, totalStatement } from "./count-tables.ts";
import type { QueriedCollection } from "./find-statement.ts";
import { textKey } from "./key-columns.ts";
import type { ReaderPool } from "./reader-pool.ts";

/** A search that finds more different values than this is left to the documents. */
const mostValues = 1000;

/** What the count tables know: totals, and the values that searches find. */
export class CountReader {
  readonly #pool: ReaderPool;

  constructor(pool: ReaderPool) {
    this.#pool = pool;
  }

  /** The number of documents that satisfy the condition; undefined where counted fields alone do not tell. */
  async total(collection: QueriedCollection, condition: Condition): Promise<number | undefined> {
    const count = countsIn(collection).find(({ fields }) => isCountable(condition, new Set(fields)));
    if (!count) return undefined;
    const { text, values } = totalStatement(count, condition);
    const [row] = await this.#pool.all<{ total: number }>(text, values);
    return row?.total;
  }

  /** The same condition, but searches within texts of counted fields are the values they find, which indexes can serve. */
  async resolve(collection: QueriedCollection, condition: Condition): Promise<Condition> {
    const valuesOf = new Map<TextSearch["test"], readonly string[]>();
    for (const search of textSearches(condition, fieldsOf(collection))) {
      const found = await this.#search(collection, search);
      if (found) valuesOf.set(search.test, found);
    }
    return valuesOf.size === 0 ? condition : replaceSearches(condition, valuesOf);
  }

  async #search(collection: QueriedCollection, { field, test }: TextSearch): Promise<string[] | undefined> {
    const count = countsIn(collection).find(({ fields }) => fields.includes(field));
    if (!count) return undefined;
    const { text, values } = keysStatement(count, { field, test, limit: mostValues + 1 });
    const rows = await this.#pool.all<{ key: string }>(text, values);
    const found = rows.map(({ key }) => key.slice(1));
    // Texts that are written otherwise in keys are not told from others by them.
    const isPlain = rows.every(({ key }, index) => textKey(found[index] ?? "") === key);
    return isPlain && rows.length <= mostValues ? found : undefined;
  }
}

function countsIn({ name, indexes }: QueriedCollection): CountDefinition[] {
  return countsOf(name, indexes);
}

/** The fields of all count tables. */
function fieldsOf(collection: QueriedCollection): Set<string> {
  return new Set(countsIn(collection).flatMap(({ fields }) => fields));
}
