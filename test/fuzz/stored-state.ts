import { join } from "node:path";
import Database from "better-sqlite3";
import { collectionIndexes } from "../../src/store/index.ts";

/** By collection: the same text as long as none of its documents was written or removed. */
export type Fingerprint = ReadonlyMap<string, string>;

/** Collections that differ. */
export function changedSince(before: Fingerprint, now: Fingerprint): string[] {
  return before === now ? [] : [...now].filter(([name, text]) => before.get(name) !== text).map(([name]) => name);
}

/** What the store of a running platform holds, seen beside it. */
export interface StoredState {
  /** What is held now; what jobs, sessions, nodes and shells to devices change by themselves is left out. */
  fingerprint(): Fingerprint;
  countJobsOf(workflowName: string): number;
  close(): void;
}

const changingByThemselves = new Set([
  "jobs",
  "tasks",
  "job_metrics",
  "task_metrics",
  "locks",
  "events",
  "event_waits",
  "large_values",
  "retention",
  "sessions",
  "workflow_snapshots",
  "nodes",
  // Whoever reaches a device first keeps its key: jobs, and requests that others do not wait for.
  "host_keys",
]);

/** What every change of a document changes; an account learns of its logins by itself, after they were answered. */
function changeOf(collection: string): string {
  return collection === "accounts" ? "length(json_remove(doc, '$.loggedIn', '$.lastLogin'))" : "version";
}

/** Reads the database file in this data folder. */
export function openStoredState(dataDir: string): StoredState {
  const database = new Database(join(dataDir, "linewright.db"), { readonly: true, fileMustExist: true });
  const collections = Object.keys(collectionIndexes).filter((name) => !changingByThemselves.has(name));
  const parts = collections.map(
    (name) => `SELECT '${name}', count(*), total(${changeOf(name)}), max(rowid) FROM "${name}"`,
  );
  const everything = database.prepare<[], [string, ...number[]]>(parts.join(" UNION ALL ")).raw();
  const jobs = database.prepare<[string]>("SELECT count(*) FROM jobs WHERE json_extract(doc, '$.name') = ?").pluck();
  let knownVersion: unknown;
  let known: Fingerprint = new Map();
  return {
    fingerprint() {
      const version = database.pragma("data_version", { simple: true });
      if (version === knownVersion) return known;
      known = new Map(everything.all().map(([name, ...figures]) => [name, figures.join()]));
      knownVersion = version;
      return known;
    },
    countJobsOf: (workflowName) => jobs.get(workflowName) as number,
    close: () => database.close(),
  };
}
