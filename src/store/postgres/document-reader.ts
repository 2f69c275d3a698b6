import type { JsonObject } from "../../core/json.ts";
import type { Collections } from "../indexes.ts";
import { sqlName } from "../sql/sql-names.ts";
import type { Stored } from "../store.ts";
import { GatheredReads } from "./gathered-reads.ts";
import { keyColumn, textKey } from "./key-columns.ts";
import type { ReaderPool } from "./reader-pool.ts";

interface DocumentRow {
  key: string;
  version: number;
  doc: string;
}

interface VersionRow {
  id: string;
  version: number;
}

/** Reads single documents; those of a collection that are asked for at once in one statement. */
export class DocumentReader {
  readonly #pool: ReaderPool;
  readonly #collections: Collections;
  readonly #documents = new Map<string, GatheredReads<string, DocumentRow>>();
  readonly #versions = new Map<string, GatheredReads<string, number>>();

  constructor(pool: ReaderPool, collections: Collections) {
    this.#pool = pool;
    this.#collections = collections;
  }

  read<T extends object = JsonObject>(collection: string, id: string): Promise<Stored<T> | undefined> {
    return this.#stored(collection, "id", id);
  }

  /** The document whose unique field has this value. */
  readBy<T extends object = JsonObject>(
    collection: string,
    field: string,
    value: string,
  ): Promise<Stored<T> | undefined> {
    const isUnique = this.#collections[collection]?.some((index) => index.isUnique && index.fields.join() === field);
    if (!isUnique) throw new Error(`${collection} has no unique field ${field}`);
    return this.#stored(collection, keyColumn(field), textKey(value));
  }

  async version(collection: string, id: string): Promise<number | undefined> {
    if (id.includes("\0")) return undefined;
    let reads = this.#versions.get(collection);
    if (!reads) {
      const sql = `SELECT id, version FROM ${sqlName(collection)} WHERE id = ANY ($1::text[])`;
      reads = new GatheredReads(async (ids) => {
        const rows = await this.#pool.all<VersionRow>(sql, [ids], `versions ${collection}`);
        return new Map(rows.map((row) => [row.id, row.version]));
      });
      this.#versions.set(collection, reads);
    }
    return reads.ask(id, id);
  }

  async #stored<T extends object>(collection: string, column: string, key: string): Promise<Stored<T> | undefined> {
    // No stored text holds this character.
    if (key.includes("\0")) return undefined;
    const row = await this.#readsOf(collection, column).ask(key, key);
    return row && { document: JSON.parse(row.doc) as T, version: row.version };
  }

  #readsOf(collection: string, column: string): GatheredReads<string, DocumentRow> {
    const name = `${collection} ${column}`;
    let reads = this.#documents.get(name);
    if (!reads) {
      const sql = `SELECT ${column} AS key, version, doc FROM ${sqlName(collection)} WHERE ${column} = ANY ($1::text[])`;
      reads = new GatheredReads(async (keys) => {
        const rows = await this.#pool.all<DocumentRow>(sql, [keys], `read ${name}`);
        return new Map(rows.map((row) => [row.key, row]));
      });
      this.#documents.set(name, reads);
    }
    return reads;
  }
}
