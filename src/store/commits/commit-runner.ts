import type { Write } from "../store.ts";
import type { Outcome } from "./commit-outcome.ts";
import type { EncodedWrite } from "./encode-writes.ts";

/** A commit on its way to the database. */
export interface PendingCommit {
  writes: readonly Write[];
  encoded: readonly EncodedWrite[];
}

/** Executes groups of commits in one transaction each, on whatever thread. One group at a time. */
export interface CommitRunner {
  /** The outcome of each commit, in order. Never rejects. */
  run(group: readonly PendingCommit[]): Promise<readonly Outcome[]>;
  close(): Promise<void>;
}
