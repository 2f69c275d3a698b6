import type { JsonObject } from "../core/json.ts";
import type { Query } from "./query.ts";

/** A stored document. Its version goes up by one with each write and guards against lost updates. */
export interface Stored<T = JsonObject> {
  document: T;
  version: number;
}

export interface FindOptions {
  /** Dotted path → 1 or -1, in order of importance. */
  sort?: Readonly<Record<string, 1 | -1>>;
  skip?: number;
  /** Absent: no limit. */
  limit?: number;
  /** Dotted paths to keep (1) or to leave out (0); `_id` stays unless left out. */
  fields?: Readonly<Record<string, 0 | 1>>;
}

/** Work for later: a timer, a retry, the durable twin of a call under way. */
export interface WorkItem {
  id: string;
  kind: string;
  payload: JsonObject;
  /** Milliseconds since the epoch. */
  runAt: number;
  /** Runs that failed so far. Absent: 0. */
  attempts?: number;
}

/**
 * One change of a transaction. A commit is a list of these: plain data, so that it can be grouped
 * with the commits of other jobs into one fsync and executed away from the event loop.
 */
export type Write =
  /**
   * New document; a taken `_id` or unique field is a DuplicateKeyError. Its first version is 1, or `version`: where
   * documents come and go, one drawn at random is never taken for that of an earlier document of the same `_id`.
   */
  | { kind: "insert"; collection: string; document: object; version?: number }
  /** Whole document, new or not. */
  | { kind: "put"; collection: string; document: object }
  /** Written only when no document has that `_id`: content-addressed values. */
  | { kind: "keep"; collection: string; document: object }
  /** Whole document, only over the version that was read: otherwise a VersionConflictError. */
  | { kind: "replace"; collection: string; document: object; version: number }
  /**
   * Adds to the document of that `_id`, new or not: numbers are added to numbers, objects member by member,
   * everything else is set. Additions of many commits at once are written as one. Numbers are whole, and their
   * sums below 2^53; texts and names hold neither U+0000 nor half of a character. Not for collections with
   * unique fields. Watchers are not told.
   */
  | { kind: "add"; collection: string; document: object }
  | { kind: "remove"; collection: string; id: string }
  /** Removes the document, only over the version that was read: otherwise a VersionConflictError. */
  | { kind: "discard"; collection: string; id: string; version: number }
  /** Writes nothing: unless the document has the version that was read, the commit is refused with a VersionConflictError. */
  | { kind: "require"; collection: string; id: string; version: number }
  /**
   * Next event of a job's log, from 1. A taken number, and one that does not follow the last (the log was removed), is
   * a SequenceConflictError, and nothing of the commit is written. Those of one commit come in order.
   */
  | { kind: "appendEvent"; jobId: string; seq: number; at: number; delta: string }
  /** State of a job after `seq`, so that reading need not replay from the start. */
  | { kind: "putSnapshot"; jobId: string; seq: number; state: string }
  | { kind: "removeLog"; jobId: string }
  | { kind: "enqueue"; item: WorkItem }
  /**
   * Moves an item to another time while it still exists; one that was completed meanwhile stays gone.
   * With `from` only while it is due at just that time: whoever moved it since holds it now.
   */
  | { kind: "postpone"; itemId: string; runAt: number; attempts?: number; from?: number }
  | { kind: "complete"; itemId: string };

/** One entry of a job's log. */
export interface JobEventRow {
  seq: number;
  at: number;
  delta: string;
}

/** A page of a log. */
export interface LogPage {
  /** The last event that is left out. Default 0. */
  after?: number;
  /** Absent: no limit. */
  limit?: number;
}

export interface JobLog {
  /** The newest snapshot at or before the last event, if one was written. */
  snapshot: { seq: number; state: string } | undefined;
  /** Events after the snapshot (or from `afterSeq`), in order. */
  events: JobEventRow[];
}

/** A committed change of a collection, told to watchers after the commit. */
export interface StoreChange {
  collection: string;
  id: string;
}

/**
 * Where all truth lives. Documents keep the order of their members. Every method may be called
 * concurrently; a commit is atomic and durable when its promise resolves.
 */
export interface Store {
  /** Other processes write here too, so what this one remembers may be out of date. */
  readonly isShared: boolean;
  read<T extends object = JsonObject>(collection: string, id: string): Promise<Stored<T> | undefined>;
  /** The document whose unique field has this value. */
  readBy<T extends object = JsonObject>(
    collection: string,
    field: string,
    value: string,
  ): Promise<Stored<T> | undefined>;
  /** Version of a document without reading it: what caches ask. */
  version(collection: string, id: string): Promise<number | undefined>;
  find<T extends object = JsonObject>(collection: string, query: Query, options?: FindOptions): Promise<T[]>;
  count(collection: string, query: Query): Promise<number>;
  /** Log of a job after `afterSeq` (0 = all; the snapshot is left out then when it is older). */
  readLog(jobId: string, afterSeq?: number): Promise<JobLog>;
  /** Writes all or nothing, durable when resolved. */
  commit(writes: readonly Write[]): Promise<void>;
  /** Every event of a job from the first one, whatever snapshots there are; `page`: only those after a number, at most so many. */
  wholeLog(jobId: string, page?: LogPage): Promise<JobEventRow[]>;
  /** Identifiers of jobs that have a log, in order, those after `after`, at most `limit`. */
  jobIds(after: string, limit: number): Promise<string[]>;
  /**
   * Takes work whose time has come, earliest first, at most `limit`, and moves it to `until`, so that of
   * all nodes only this one gets it. The items are answered as they were before. Items of `exceptKinds`
   * are passed over.
   */
  claimWork(now: number, until: number, limit: number, exceptKinds?: readonly string[]): Promise<WorkItem[]>;
  /** All work items in order of their identifiers, those after `after`, at most `limit`. */
  workItems(after: string, limit: number): Promise<WorkItem[]>;
  /**
   * How far the store's time of day is ahead of this machine's, in milliseconds. Nodes that share a store live
   * by its time, because leases are compared across them. 0 for a store on this machine.
   */
  aheadMs(): Promise<number>;
  /** When the earliest work item is due, if there is any but those of `exceptKinds`. */
  nextWorkAt(exceptKinds?: readonly string[]): Promise<number | undefined>;
  /**
   * Calls `listener` after each commit with what it changed; the returned function ends it. Changes by
   * other processes come a moment later, and may be missed while the connection is down: whoever keeps
   * copies looks again from time to time.
   */
  watch(listener: (changes: readonly StoreChange[]) => void): () => void;
  /** Waits for commits under way, then releases files and connections. */
  close(): Promise<void>;
}

/** A document with that identifier or unique field exists. `field` is `_id` or the field's path. */
export class DuplicateKeyError extends Error {
  override readonly name = "DuplicateKeyError";
  readonly collection: string;
  readonly field: string;

  constructor(collection: string, field: string) {
    super(`duplicate ${field} in ${collection}`);
    this.collection = collection;
    this.field = field;
  }
}

/** Somebody else wrote the document since it was read. Read again and repeat. */
export class VersionConflictError extends Error {
  override readonly name = "VersionConflictError";
}

/** Another activation of the job was written first, or its log is gone. Read what was missed and apply the event again. */
export class SequenceConflictError extends Error {
  override readonly name = "SequenceConflictError";
  readonly jobId: string;

  constructor(jobId: string) {
    super(`the log of job ${jobId} has moved on`);
    this.jobId = jobId;
  }
}

/** The store cannot be reached or has no room; nothing is known to be written. Answered 503. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}
