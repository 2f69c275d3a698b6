import type { Database } from "better-sqlite3";

/** Steps of the schema; the n-th brings a database to version n. Steps that were released never change. */
const migrations: readonly string[] = [
  `
  CREATE TABLE job_events (
    job_id TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, delta TEXT NOT NULL,
    PRIMARY KEY (job_id, seq)
  ) WITHOUT ROWID;
  CREATE TABLE job_snapshots (job_id TEXT PRIMARY KEY NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL);
  CREATE TABLE work_items (
    id TEXT PRIMARY KEY NOT NULL, run_at INTEGER NOT NULL, kind TEXT NOT NULL,
    payload TEXT NOT NULL, attempts INTEGER NOT NULL
  );
  CREATE INDEX work_items_run_at ON work_items (run_at, id);
  `,
  // Rows of some kilobytes in a table without rowid leave most of an overflow page empty each.
  `
  ALTER TABLE job_events RENAME TO old_events;
  CREATE TABLE job_events (job_id TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, delta TEXT NOT NULL);
  INSERT INTO job_events SELECT job_id, seq, at, delta FROM old_events;
  DROP TABLE old_events;
  CREATE UNIQUE INDEX job_events_key ON job_events (job_id, seq);
  `,
];

/** The version that this release brings a database to. */
export const latestVersion = migrations.length;

/** Brings the schema up to date, each step in one transaction. A database of a newer release is refused. */
export function migrate(database: Database, steps: readonly string[] = migrations): void {
  database.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
  const from = readVersion(database);
  if (from > steps.length) {
    throw new Error(
      `The database was written by a newer release: its schema has version ${from}, this release knows up to ${steps.length}. Start the newer release, or restore an older backup.`,
    );
  }
  steps.slice(from).forEach((step, index) => applyStep(database, step, from + index + 1));
}

function readVersion(database: Database): number {
  const version = database.prepare("SELECT max(version) FROM schema_version").pluck().get();
  return typeof version === "number" ? version : 0;
}

function applyStep(database: Database, step: string, version: number): void {
  const apply = database.transaction(() => {
    // Another process may have taken the step while this one waited for the lock.
    if (readVersion(database) >= version) return;
    database.exec(step);
    database.prepare("INSERT INTO schema_version (version) VALUES (?)").run(version);
  });
  apply.immediate();
}
