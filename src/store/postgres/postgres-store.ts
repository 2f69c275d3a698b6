import { randomUUID } from "node:crypto";
import { createSystemClock, type Clock } from "../../core/clock.ts";
import type { JsonObject } from "../../core/json.ts";
import { silentLogger, type Logger } from "../../core/logger.ts";
import { ChangeFeed } from "../commits/change-feed.ts";
import { createWriteEncoder, type WriteEncoder } from "../commits/encode-writes.ts";
import { GroupCommitter } from "../commits/group-committer.ts";
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
import { ChangeAnnouncer } from "./change-announcer.ts";
import type { ConnectionOptions, StatementFaults } from "./connection.ts";
import { CountReader } from "./count-reader.ts";
import { DocumentReader } from "./document-reader.ts";
import { countStatement, findStatement, type QueryStatement } from "./find-statement.ts";
import { compareClocks } from "./inspect-server.ts";
import { LogReader } from "./log-reader.ts";
import { uniqueIndexes } from "./postgres-errors.ts";
import { PostgresCommitRunner } from "./postgres-commit-runner.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { ReaderPool } from "./reader-pool.ts";
import { StreamedFind } from "./streamed-find.ts";
import { WatchedQueries } from "./watched-queries.ts";
import { claimWork, nextWorkAt, readWorkItems } from "./work-reader.ts";

const defaultReaders = 4;
/** Beside them, for queries that may take long. */
const queryConnections = 2;
/** Connections a node opens at most: for reading and queries, one for commits and one for the change feed. */
export const connectionsPerNode = defaultReaders + queryConnections + 2;

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with the parameters of `pg`. */
  url: string;
  clock?: Clock;
  logger?: Logger;
  /** How long the server may take to answer before it counts as away. Default 1,500. */
  deadlineMs?: number;
  /** Connections for reading. Default 4; each store has two more, for commits and for the change feed. */
  readers?: number;
  /** Faults of commits, for tests. */
  faults?: StoreFaults;
  /** Faults of single statements, for tests. */
  statementFaults?: StatementFaults;
  /** Collections and indexes. Default: those of the platform. */
  collections?: Collections;
}

/** Opens the store in a PostgreSQL database (15 or newer), creating or updating its schema first. A database that needs a newer release is refused. */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, clock = createSystemClock(), deadlineMs = 1_500, collections = collectionIndexes } = options;
  const connection = { url, clock, deadlineMs, statementFaults: options.statementFaults };
  await prepareDatabase(connection, collections);
  const store = new PostgresStore(options, connection, collections);
  await store.open();
  return store;
}

class PostgresStore implements Store {
  readonly isShared = true;
  readonly #collections: Collections;
  readonly #faults: StoreFaults | undefined;
  readonly #encode: WriteEncoder;
  readonly #runner: PostgresCommitRunner;
  readonly #committer: GroupCommitter;
  readonly #feed = new ChangeFeed();
  readonly #announcer: ChangeAnnouncer;
  readonly #pool: ReaderPool;
  readonly #queries: WatchedQueries;
  readonly #documents: DocumentReader;
  readonly #counts: CountReader;
  readonly #logs: LogReader;
  readonly #streams: StreamedFind;
  #isClosed = false;

  constructor(options: PostgresStoreOptions, connection: ConnectionOptions, collections: Collections) {
    const { readers = defaultReaders, logger = silentLogger } = options;
    this.#collections = collections;
    this.#faults = options.faults;
    this.#encode = createWriteEncoder(collections);
    this.#runner = new PostgresCommitRunner(connection, uniqueIndexes(collections));
    this.#committer = new GroupCommitter(this.#runner, (changes) => this.#committed(changes));
    const onChanges = (changes: readonly StoreChange[]): void => this.#feed.notify(changes);
    this.#announcer = new ChangeAnnouncer({ connection, origin: randomUUID(), logger, onChanges });
    this.#pool = new ReaderPool(connection, readers);
    this.#queries = new WatchedQueries(connection, queryConnections, this.#pool);
    this.#documents = new DocumentReader(this.#pool, collections);
    this.#counts = new CountReader(this.#pool);
    this.#logs = new LogReader(this.#pool);
    this.#streams = new StreamedFind(this.#pool, connection.clock, connection.deadlineMs);
  }

  async open(): Promise<void> {
    await this.#announcer.open();
  }

  async read<T extends object = JsonObject>(collection: string, id: string): Promise<Stored<T> | undefined> {
    this.#require(collection);
    return this.#documents.read<T>(collection, id);
  }

  async readBy<T extends object = JsonObject>(
    collection: string,
    field: string,
    value: string,
  ): Promise<Stored<T> | undefined> {
    this.#require(collection);
    return this.#documents.readBy<T>(collection, field, value);
  }

  async version(collection: string, id: string): Promise<number | undefined> {
    this.#require(collection);
    return this.#documents.version(collection, id);
  }

  async find<T extends object = JsonObject>(collection: string, query: Query, options?: FindOptions): Promise<T[]> {
    this.#require(collection);
    const parsed = parseFindOptions(options);
    const indexes = this.#collections[collection] ?? [];
    const condition = await this.#counts.resolve({ name: collection, indexes }, parseQuery(query));
    const texts = hasRegex(condition)
      ? await this.#streams.find({ name: collection, indexes }, condition, parsed)
      : await this.#texts(findStatement({ name: collection, indexes }, condition, parsed));
    return texts.map((text) => parsed.project(JSON.parse(text) as JsonObject) as T);
  }

  async count(collection: string, query: Query): Promise<number> {
    this.#require(collection);
    const indexes = this.#collections[collection] ?? [];
    const asked = parseQuery(query);
    const known = await this.#counts.total({ name: collection, indexes }, asked);
    if (known !== undefined) return known;
    const condition = await this.#counts.resolve({ name: collection, indexes }, asked);
    if (hasRegex(condition)) return this.#streams.count({ name: collection, indexes }, condition);
    const { text, values } = countStatement({ name: collection, indexes }, condition);
    const [row] = await this.#queries.all<{ total: number }>(text, values);
    return row?.total ?? 0;
  }

  async readLog(jobId: string, afterSeq = 0): Promise<JobLog> {
    this.#requireOpen();
    return this.#logs.read(jobId, afterSeq);
  }

  async wholeLog(jobId: string, page: LogPage = {}): Promise<JobEventRow[]> {
    this.#requireOpen();
    return this.#logs.whole(jobId, page);
  }

  async jobIds(after: string, limit: number): Promise<string[]> {
    this.#requireOpen();
    return this.#logs.jobIds(after, limit);
  }

  async commit(writes: readonly Write[]): Promise<void> {
    this.#requireOpen();
    if (writes.length === 0) return;
    const encoded = this.#encode(writes);
    if (this.#faults) await reachFault(this.#faults, "before", writes);
    this.#requireOpen();
    if (this.#faults && writes.length > 1) await reachFault(this.#faults, "during", writes);
    await this.#committer.commit({ writes, encoded });
    if (this.#faults) await reachFault(this.#faults, "after", writes);
  }

  async claimWork(now: number, until: number, limit: number, exceptKinds: readonly string[] = []): Promise<WorkItem[]> {
    this.#requireOpen();
    return claimWork(this.#pool, { now, until, limit, exceptKinds });
  }

  async workItems(after: string, limit: number): Promise<WorkItem[]> {
    this.#requireOpen();
    return readWorkItems(this.#pool, after, limit);
  }

  async nextWorkAt(exceptKinds: readonly string[] = []): Promise<number | undefined> {
    this.#requireOpen();
    return nextWorkAt(this.#pool, exceptKinds);
  }

  async aheadMs(): Promise<number> {
    this.#requireOpen();
    return this.#pool.use(async (connection) => (await compareClocks(connection, Date.now)).clockAheadMs);
  }

  watch(listener: (changes: readonly StoreChange[]) => void): () => void {
    return this.#feed.watch(listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#committer.drain();
    await Promise.all([
      this.#runner.close(),
      this.#announcer.close(),
      this.#streams.close(),
      this.#queries.close(),
      this.#pool.close(),
    ]);
  }

  #committed(changes: readonly StoreChange[]): void {
    this.#feed.notify(changes);
    this.#announcer.announce(changes);
  }

  async #texts({ text, values }: QueryStatement): Promise<string[]> {
    const rows = await this.#queries.all<{ doc: string }>(text, values);
    return rows.map(({ doc }) => doc);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StoreUnavailableError("The store is closed");
  }

  #require(collection: string): void {
    this.#requireOpen();
    if (!Object.hasOwn(this.#collections, collection)) throw new Error(`there is no collection ${collection}`);
  }
}
