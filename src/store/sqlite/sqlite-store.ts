import type { Clock } from "../../core/clock.ts";
import { createSystemClock } from "../../core/clock.ts";
import type { JsonObject } from "../../core/json.ts";
import { reachFault } from "../commits/reach-fault.ts";
import type { StoreFaults } from "../faults.ts";
import { collectionIndexes, type Collections } from "../indexes.ts";
import { hasRegex } from "../query/condition.ts";
import { parseFindOptions } from "../query/find-options.ts";
import { parseQuery, type Query } from "../query.ts";
import {
  StoreUnavailableError,
  type FindOptions,
  type JobEventRow,
  type LogPage,
  type JobLog,
  type Store,
  type Stored,
  type StoreChange,
  type WorkItem,
  type Write,
} from "../store.ts";
import { ChangeFeed } from "../commits/change-feed.ts";
import { createCollections } from "./collection-tables.ts";
import { CommitExecutor } from "./commit-executor.ts";
import type { CommitRunner } from "../commits/commit-runner.ts";
import { CountReader } from "./count-reader.ts";
import type { CompiledSql } from "./compile-condition.ts";
import { createWriteEncoder, type WriteEncoder } from "../commits/encode-writes.ts";
import { countStatement, findStatement, type QueriedCollection } from "./find-statement.ts";
import { GroupCommitter } from "../commits/group-committer.ts";
import { indexedExpression, indexedFields } from "./indexed-columns.ts";
import { createInlineCommitRunner } from "./inline-commit-runner.ts";
import { sqlName } from "../sql/sql-names.ts";
import { readEvents, readJobIds, readLog } from "./log-reader.ts";
import { migrate } from "./migrations.ts";
import { openForReading, openForWriting } from "./open-database.ts";
import { SlowReader } from "./slow-reader.ts";
import { asStoreError } from "./sqlite-errors.ts";

import { StoreReader } from "./store-reader.ts";
import { readDueWork, readNextWorkAt, readWorkItems } from "./work-reader.ts";
import { WorkerCommitRunner } from "./worker-commit-runner.ts";

export interface SqliteStoreOptions {
  /** Path of the database file; its folder must exist. */
  file: string;
  /** `worker`: commits leave the event loop free during fsync. `inline`: on the calling thread. */
  thread: "worker" | "inline";
  clock?: Clock;
  /** Faults for tests; only with `inline`. */
  faults?: StoreFaults;
  /** How long a query with a regular expression may take. Default 2,000. */
  queryDeadlineMs?: number;
  /** Collections and indexes. Default: those of the platform. */
  collections?: Collections;
}

/** Opens the store in a SQLite file, creating or updating its schema first. A file of a newer release is refused. */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  if (options.faults && options.thread === "worker") throw new Error("faults work only in an inline store");
  const collections = options.collections ?? collectionIndexes;
  try {
    prepareFile(options.file, collections);
  } catch (error) {
    throw asStoreError(error);
  }
  return new SqliteStore(options, collections);
}

function prepareFile(file: string, collections: Collections): void {
  const database = openForWriting(file);
  try {
    migrate(database);
    createCollections(database, collections);
  } finally {
    database.close();
  }
}

function createRunner({ file, thread, faults }: SqliteStoreOptions, collections: Collections): CommitRunner {
  if (thread === "worker") return new WorkerCommitRunner({ file, collections });
  return createInlineCommitRunner(new CommitExecutor(() => openForWriting(file), collections), faults);
}

class SqliteStore implements Store {
  readonly #collections: Collections;
  readonly #queried: ReadonlyMap<string, QueriedCollection>;
  readonly #faults: StoreFaults | undefined;
  readonly #encode: WriteEncoder;
  readonly #runner: CommitRunner;
  readonly #committer: GroupCommitter;
  readonly #feed = new ChangeFeed();
  readonly #reader: StoreReader;
  readonly #counts: CountReader;
  readonly #slowReader: SlowReader;
  readonly isShared = false;
  #lastClaim: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: SqliteStoreOptions, collections: Collections) {
    const { file, clock = createSystemClock(), queryDeadlineMs: deadlineMs = 2000 } = options;
    this.#collections = collections;
    this.#queried = new Map(
      Object.entries(collections).map(([name, indexes]) => [name, { name, indexes, indexed: indexedFields(indexes) }]),
    );
    this.#faults = options.faults;
    this.#encode = createWriteEncoder(collections);
    this.#runner = createRunner(options, collections);
    this.#committer = new GroupCommitter(this.#runner, (changes) => this.#feed.notify(changes));
    this.#reader = new StoreReader(() => openForReading(file));
    this.#counts = new CountReader(this.#reader);
    this.#slowReader = new SlowReader({ file, clock, deadlineMs });
  }

  async read<T extends object = JsonObject>(collection: string, id: string): Promise<Stored<T> | undefined> {
    const { name } = this.#collection(collection);
    return this.#readStored(`SELECT version, doc FROM ${sqlName(name)} WHERE id = @key`, id);
  }

  async readBy<T extends object = JsonObject>(
    collection: string,
    field: string,
    value: string,
  ): Promise<Stored<T> | undefined> {
    const { name } = this.#collection(collection);
    const isUnique = this.#collections[name]?.some((index) => index.isUnique && index.fields.join() === field);
    if (!isUnique) throw new Error(`${collection} has no unique field ${field}`);
    return this.#readStored(
      `SELECT version, doc FROM ${sqlName(name)} WHERE ${indexedExpression(field)} = @key`,
      value,
    );
  }

  async version(collection: string, id: string): Promise<number | undefined> {
    const { name } = this.#collection(collection);
    return this.#reader.get<{ version: number }>(`SELECT version FROM ${sqlName(name)} WHERE id = @key`, { key: id })
      ?.version;
  }

  async find<T extends object = JsonObject>(collection: string, query: Query, options?: FindOptions): Promise<T[]> {
    const parsed = parseFindOptions(options);
    const queried = this.#collection(collection);
    const { condition, ...way } = this.#counts.planFind(queried, parseQuery(query), parsed);
    const statement = findStatement(queried, condition, parsed, way);
    const rows = await this.#select<{ doc: string }>(statement, hasRegex(condition));
    return rows.map(({ doc }) => parsed.project(JSON.parse(doc) as JsonObject) as T);
  }

  async count(collection: string, query: Query): Promise<number> {
    const queried = this.#collection(collection);
    const plan = this.#counts.planCount(queried, parseQuery(query));
    if (typeof plan === "number") return plan;
    const { condition, passedOver } = plan;
    const statement = countStatement(queried, condition, passedOver);
    const [row] = await this.#select<{ total: number }>(statement, hasRegex(condition));
    return row?.total ?? 0;
  }

  async readLog(jobId: string, afterSeq = 0): Promise<JobLog> {
    this.#requireOpen();
    return readLog(this.#reader, jobId, afterSeq);
  }

  async wholeLog(jobId: string, { after = 0, limit }: LogPage = {}): Promise<JobEventRow[]> {
    this.#requireOpen();
    return readEvents(this.#reader, jobId, after, limit);
  }

  async jobIds(after: string, limit: number): Promise<string[]> {
    this.#requireOpen();
    return readJobIds(this.#reader, after, limit);
  }

  async commit(writes: readonly Write[]): Promise<void> {
    this.#requireOpen();
    if (writes.length === 0) return;
    const encoded = this.#encode(writes);
    if (this.#faults) await reachFault(this.#faults, "before", writes);
    this.#requireOpen();
    await this.#committer.commit({ writes, encoded });
    if (this.#faults) await reachFault(this.#faults, "after", writes);
  }

  claimWork(now: number, until: number, limit: number, exceptKinds: readonly string[] = []): Promise<WorkItem[]> {
    // One after the other, so that each sees what the one before has taken.
    const claimed = this.#lastClaim.then(async () => {
      this.#requireOpen();
      const due = readDueWork(this.#reader, { now, limit, exceptKinds });
      await this.commit(due.map(({ id, runAt }) => ({ kind: "postpone", itemId: id, runAt: until, from: runAt })));
      return due;
    });
    this.#lastClaim = claimed.catch(() => undefined);
    return claimed;
  }

  async workItems(after: string, limit: number): Promise<WorkItem[]> {
    this.#requireOpen();
    return readWorkItems(this.#reader, after, limit);
  }

  async nextWorkAt(exceptKinds: readonly string[] = []): Promise<number | undefined> {
    this.#requireOpen();
    return readNextWorkAt(this.#reader, exceptKinds);
  }

  async aheadMs(): Promise<number> {
    return 0;
  }

  watch(listener: (changes: readonly StoreChange[]) => void): () => void {
    return this.#feed.watch(listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#committer.drain();
    await this.#slowReader.close();
    this.#reader.close();
    // Last, so that closing it transfers the write-ahead log into the database file.
    await this.#runner.close();
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StoreUnavailableError("The store is closed");
  }

  #collection(name: string): QueriedCollection {
    this.#requireOpen();
    const collection = this.#queried.get(name);
    if (!collection) throw new Error(`there is no collection ${name}`);
    return collection;
  }

  #readStored<T extends object>(sql: string, key: string): Stored<T> | undefined {
    const row = this.#reader.get<{ version: number; doc: string }>(sql, { key });
    return row && { document: JSON.parse(row.doc) as T, version: row.version };
  }

  async #select<Row>(statement: CompiledSql, mayBeSlow: boolean): Promise<Row[]> {
    return mayBeSlow
      ? this.#slowReader.all<Row>(statement)
      : this.#reader.all<Row>(statement.sql, statement.parameters);
  }
}
