import { join } from "node:path";
import Database from "better-sqlite3";
import { collectionIndexes } from "../../src/store/index.ts";

/** What the store of a running platform holds, seen beside it. */
export interface StoredState {
  /** The same text as long as no document was written or removed; what jobs, sessions and nodes change by themselves is left out. */
  fingerprint(): string;
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
  const everything = database.prepare(parts.join(" UNION ALL "));
  const jobs = database.prepare<[string]>("SELECT count(*) FROM jobs WHERE json_extract(doc, '$.name') = ?").pluck();
  let knownVersion: unknown;
  let known = "";
  return {
    fingerprint() {
      const version = database.pragma("data_version", { simple: true });
      if (version === knownVersion) return known;
      known = JSON.stringify(everything.all());
      knownVersion = version;
      return known;
    },
    countJobsOf: (workflowName) => jobs.get(workflowName) as number,
    close: () => database.close(),
  };
}
