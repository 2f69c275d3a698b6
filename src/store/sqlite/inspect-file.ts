import { statSync } from "node:fs";
import type { Database } from "better-sqlite3";
import type { Collections } from "../indexes.ts";
import { compareNames, type SchemaState } from "../schema-state.ts";
import { indexName } from "./collection-tables.ts";
import { latestVersion } from "./migrations.ts";
import { openForReading } from "./open-database.ts";
import { asStoreError, messageOf, sqliteCode } from "./sqlite-errors.ts";

/** What can be said of a database file without changing it. */
export interface FileInspection {
  /** What the structure of the file has wrong; empty when it is sound. */
  problems: string[];
  fileBytes: number;
  /** Size of the write-ahead log beside the file. */
  logBytes: number;
}

/** The schema of an existing file; nothing is changed. */
export function inspectFileSchema(file: string, collections: Collections): SchemaState {
  return reading(file, (database) => {
    const rows = database
      .prepare<[], { type: string; name: string; sql: string | null }>("SELECT type, name, sql FROM sqlite_schema")
      .all();
    const tables = rows.filter(({ type }) => type === "table").map(({ name }) => name);
    // Those without a text of their own belong to keys of tables.
    const indexes = rows.filter(({ type, sql }) => type === "index" && sql !== null).map(({ name }) => name);
    const version = tables.includes("schema_version") ? readVersion(database) : 0;
    const names = compareNames(collections, indexName, { tables, indexes });
    return { version, needed: version, latest: latestVersion, ...names };
  });
}

/** Reads the whole file once: seconds for a gigabyte. */
export function inspectFile(file: string): FileInspection {
  return {
    problems: reading(file, findProblems),
    fileBytes: sizeOf(file),
    logBytes: sizeOf(`${file}-wal`),
  };
}

function findProblems(database: Database): string[] {
  try {
    const rows = database.pragma("quick_check(10)") as { quick_check: string }[];
    return rows.map(({ quick_check: text }) => text).filter((text) => text !== "ok");
  } catch (error) {
    // Damage so bad that the check itself cannot be made.
    if (sqliteCode(error)?.startsWith("SQLITE_CORRUPT") !== true) throw error;
    return [messageOf(error)];
  }
}

function reading<Result>(file: string, read: (database: Database) => Result): Result {
  try {
    const database = openForReading(file);
    try {
      return read(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw asStoreError(error);
  }
}

function readVersion(database: Database): number {
  const version = database.prepare("SELECT max(version) FROM schema_version").pluck().get();
  return typeof version === "number" ? version : 0;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
