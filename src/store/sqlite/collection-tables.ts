import type { Database } from "better-sqlite3";
import type { Collections, IndexDefinition } from "../indexes.ts";
import { createCountTables } from "./count-tables.ts";
import { indexedExpression } from "./indexed-columns.ts";
import { sqlName } from "../sql/sql-names.ts";

/** Makes tables, indexes and counts exactly those that are listed: new ones are created, indexes that changed or left are replaced or dropped; documents stay. */
export function createCollections(database: Database, collections: Collections): void {
  const create = database.transaction(() => {
    for (const [collection, indexes] of Object.entries(collections)) createCollection(database, collection, indexes);
  });
  create.immediate();
}

/** Name of an index in the database; errors of the database carry it. */
export function indexName(collection: string, index: IndexDefinition): string {
  return `${collection}.${index.name}`;
}

function createCollection(database: Database, collection: string, indexes: readonly IndexDefinition[]): void {
  const table = sqlName(collection);
  // The check keeps out what SQLite could not read later, such as members nested beyond its limit.
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL, doc TEXT NOT NULL, CONSTRAINT ${table} CHECK (json_valid(doc)))`,
  );
  const existing = readIndexes(database, collection);
  const wanted = new Map(indexes.map((index) => [indexName(collection, index), indexSql(collection, index)]));
  for (const [name, sql] of existing) {
    if (wanted.get(name) !== sql) database.exec(`DROP INDEX ${sqlName(name)}`);
  }
  for (const [name, sql] of wanted) {
    if (existing.get(name) !== sql) database.exec(sql);
  }
  createCountTables(database, collection, indexes);
}

function readIndexes(database: Database, collection: string): Map<string, string> {
  const rows = database
    .prepare<[string], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
    )
    .all(collection);
  return new Map(rows.map(({ name, sql }) => [name, sql]));
}

function indexSql(collection: string, index: IndexDefinition): string {
  // The identifier at the end lets an index serve the order of a list as well.
  const fields = index.isUnique || index.fields.includes("_id") ? index.fields : [...index.fields, "_id"];
  const columns = fields.map((field) => indexedExpression(field)).join(", ");
  return `CREATE ${index.isUnique ? "UNIQUE " : ""}INDEX ${sqlName(indexName(collection, index))} ON ${sqlName(collection)} (${columns})`;
}
