import Database from "better-sqlite3";
import { StoreUnavailableError } from "../store.ts";

/** Conditions outside the data that pass by themselves or by an operator's hand. */
const unavailableCodes = [
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  "SQLITE_PERM",
  "SQLITE_PROTOCOL",
];

/** SQLite's own result code of an error, e.g. `SQLITE_CONSTRAINT_UNIQUE`. */
export function sqliteCode(error: unknown): string | undefined {
  return error instanceof Database.SqliteError ? error.code : undefined;
}

/** Is the disk, the file or its lock at fault, rather than the statement? Extended codes (`SQLITE_IOERR_FSYNC`) count with their family. */
export function isUnavailable(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && unavailableCodes.some((family) => code === family || code.startsWith(`${family}_`));
}

/** The error as callers of the store know it. */
export function asStoreError(error: unknown): unknown {
  return isUnavailable(error) ? new StoreUnavailableError(`The store is not available: ${messageOf(error)}`) : error;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
