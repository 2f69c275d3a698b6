import type { Database, Statement } from "better-sqlite3";
import type { Failure } from "../commits/commit-outcome.ts";
import { addedText } from "../commits/additions.ts";
import type { EncodedAddition, EncodedWrite } from "../commits/encode-writes.ts";
import { sqlName } from "../sql/sql-names.ts";

/** A write that the data forbids; its commit is rolled back. */
export class WriteRefused extends Error {
  override readonly name = "WriteRefused";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.failure);
    this.failure = failure;
  }
}

const eventSql = `INSERT INTO job_events (job_id, seq, at, delta) SELECT @jobId, @seq, @at, @delta
  WHERE @seq = 1 OR EXISTS (SELECT 1 FROM job_events WHERE job_id = @jobId AND seq = @seq - 1) ON CONFLICT DO NOTHING`;
const snapshotSql = `INSERT INTO job_snapshots (job_id, seq, state) VALUES (?, ?, ?)
  ON CONFLICT (job_id) DO UPDATE SET seq = excluded.seq, state = excluded.state WHERE excluded.seq >= seq`;
const enqueueSql = `INSERT INTO work_items (id, run_at, kind, payload, attempts) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET run_at = excluded.run_at, kind = excluded.kind, payload = excluded.payload, attempts = excluded.attempts`;
const postponeSql =
  "UPDATE work_items SET run_at = ?, attempts = coalesce(?, attempts) WHERE id = ? AND (? IS NULL OR run_at = ?)";

/** Executes single writes on one connection, with every statement prepared once. */
export class WriteStatements {
  readonly #database: Database;
  readonly #prepared = new Map<string, Statement<unknown[]>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** True when the write changed something. A conflict is thrown as WriteRefused or as SQLite's own error. */
  execute(write: EncodedWrite): boolean {
    switch (write.kind) {
      case "insert":
        return this.#insert(write);
      case "put":
        return this.#run(
          `${insertSql(write.collection)} DO UPDATE SET version = version + 1, doc = excluded.doc`,
          write.id,
          1,
          write.text,
        );
      case "keep":
        return this.#run(`${insertSql(write.collection)} DO NOTHING`, write.id, 1, write.text);
      case "replace":
        return this.#replace(write);
      case "add":
        return this.#add(write);
      case "remove":
        return this.#run(`DELETE FROM ${sqlName(write.collection)} WHERE id = ?`, write.id);
      case "discard":
        return this.#discard(write);
      case "require":
        return this.#require(write);
      default:
        return this.#executeOther(write);
    }
  }

  #executeOther(write: Exclude<EncodedWrite, { collection: string }>): boolean {
    switch (write.kind) {
      case "appendEvent":
        return this.#append(write);
      case "putSnapshot":
        return this.#run(snapshotSql, write.jobId, write.seq, write.state);
      case "removeLog":
        this.#run("DELETE FROM job_snapshots WHERE job_id = ?", write.jobId);
        return this.#run("DELETE FROM job_events WHERE job_id = ?", write.jobId);
      case "enqueue":
        return this.#run(enqueueSql, write.id, write.runAt, write.workKind, write.payload, write.attempts);
      case "postpone":
        return this.#run(
          postponeSql,
          write.runAt,
          write.attempts ?? null,
          write.itemId,
          write.from ?? null,
          write.from ?? null,
        );
      case "complete":
        return this.#run("DELETE FROM work_items WHERE id = ?", write.itemId);
    }
  }

  #insert({ collection, id, text, version }: Extract<EncodedWrite, { kind: "insert" }>): boolean {
    const isNew = this.#run(`${insertSql(collection)} DO NOTHING`, id, version, text);
    if (!isNew) throw new WriteRefused({ failure: "duplicate", collection, field: "_id" });
    return true;
  }

  #append({ jobId, seq, at, delta }: Extract<EncodedWrite, { kind: "appendEvent" }>): boolean {
    const isNext = this.#run(eventSql, { jobId, seq, at, delta });
    if (!isNext) throw new WriteRefused({ failure: "sequence", jobId });
    return true;
  }

  #replace({ collection, id, text, version }: Extract<EncodedWrite, { kind: "replace" }>): boolean {
    const sql = `UPDATE ${sqlName(collection)} SET version = version + 1, doc = ? WHERE id = ? AND version = ?`;
    if (!this.#run(sql, text, id, version)) throw new WriteRefused({ failure: "version", collection, id });
    return true;
  }

  #discard({ collection, id, version }: Extract<EncodedWrite, { kind: "discard" }>): boolean {
    const sql = `DELETE FROM ${sqlName(collection)} WHERE id = ? AND version = ?`;
    if (!this.#run(sql, id, version)) throw new WriteRefused({ failure: "version", collection, id });
    return true;
  }

  #require({ collection, id, version }: Extract<EncodedWrite, { kind: "require" }>): boolean {
    const sql = `SELECT 1 FROM ${sqlName(collection)} WHERE id = ? AND version = ?`;
    if (!this.#statement(sql).get(id, version)) throw new WriteRefused({ failure: "version", collection, id });
    return true;
  }

  /** Nobody else writes between reading and writing: the transaction of the group has the lock. */
  #add({ collection, id, text }: EncodedAddition): boolean {
    const table = sqlName(collection);
    const found = this.#statement(`SELECT doc FROM ${table} WHERE id = ?`).get(id) as { doc: string } | undefined;
    if (!found) return this.#run(`${insertSql(collection)} DO NOTHING`, id, 1, text);
    return this.#run(`UPDATE ${table} SET version = version + 1, doc = ? WHERE id = ?`, addedText(found.doc, text), id);
  }

  #run(sql: string, ...parameters: unknown[]): boolean {
    return this.#statement(sql).run(...parameters).changes > 0;
  }

  #statement(sql: string): Statement<unknown[]> {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

function insertSql(collection: string): string {
  return `INSERT INTO ${sqlName(collection)} (id, version, doc) VALUES (?, ?, ?) ON CONFLICT (id)`;
}
