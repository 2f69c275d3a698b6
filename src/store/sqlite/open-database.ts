import Database from "better-sqlite3";

/** How long a statement waits for a lock that another process holds. */
const lockTimeoutMs = 1000;
/** Pages (4 kB) in the write-ahead log after which it is transferred into the database. */
const pagesPerTransfer = 4000;
/** The write-ahead log is cut back to this size when it has been transferred. */
const longestLogBytes = 64 * 1024 * 1024;

/** Opens the file for writing: write-ahead log, and an fsync with every commit. */
export function openForWriting(file: string): Database.Database {
  const database = new Database(file, { timeout: lockTimeoutMs });
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  // Many groups change the same pages: the longer the log, the fewer of them are transferred twice.
  database.pragma(`wal_autocheckpoint = ${pagesPerTransfer}`);
  database.pragma(`journal_size_limit = ${longestLogBytes}`);
  return database;
}

/** Opens the file for reading beside a writer; each statement sees all that was committed before it. */
export function openForReading(file: string): Database.Database {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: lockTimeoutMs });
  database.pragma("temp_store = MEMORY");
  return database;
}
