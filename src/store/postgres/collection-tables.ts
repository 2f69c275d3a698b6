import type { ClientBase } from "pg";
import type { Collections, IndexDefinition } from "../indexes.ts";
import { sqlName } from "../sql/sql-names.ts";
import { countTableChanges, isCountTable } from "./count-tables.ts";
import {
  columnFunctions,
  keyColumn,
  keyColumnName,
  keyColumnSql,
  keyFields,
  readableColumnSql,
} from "./key-columns.ts";
import { safeName } from "./safe-name.ts";

/**
 * Makes tables, indexes and counts exactly those that are listed: new ones are created, indexes that changed or left
 * are replaced or dropped; documents stay, and so do key columns that no index needs any more, since a node
 * of the release before may still ask for them. Changes nothing where nothing changed. To be called within a
 * transaction that only one node at a time is in. An index of somebody else's making, whose name does not
 * begin with that of the collection and a dot, is left alone.
 */
export async function createCollections(client: ClientBase, collections: Collections): Promise<void> {
  for (const [signature, sql] of Object.entries(columnFunctions)) {
    const { rows } = await client.query<{ exists: boolean }>(functionSql, [signature]);
    if (!rows[0]?.exists) await client.query(sql);
  }
  const names = Object.keys(collections);
  const { rows: tables } = await client.query<FoundTable>(tablesSql, [names]);
  const { rows: indexes } = await client.query<FoundIndex>(indexesSql, [names]);
  for (const [collection, wanted] of Object.entries(collections)) {
    const found = tables.find(({ table }) => table === collection);
    const own = indexes.filter(({ table }) => table === collection);
    const counts = tables.filter((table) => table.table.startsWith(`${collection}.`) && isCountTable(table));
    const changes = [
      ...collectionChanges(collection, wanted, found && { ...found, indexes: own }),
      ...countTableChanges(collection, wanted, counts),
    ];
    for (const sql of changes) await client.query(sql);
  }
}

/** Name of an index in the database; errors of the server carry it as that of the constraint. */
export function indexName(collection: string, index: IndexDefinition): string {
  return safeName(`${collection}.${index.name}`);
}

interface FoundTable {
  table: string;
  columns: string[];
}

interface FoundIndex {
  table: string;
  name: string;
  isUnique: boolean;
  columns: string[];
}

const functionSql = "SELECT to_regprocedure($1) IS NOT NULL AS exists";

const tablesSql = `
  SELECT t.relname::text AS "table",
    ARRAY(
      SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
    ) AS columns
  FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
  WHERE n.nspname = current_schema() AND t.relkind = 'r' AND split_part(t.relname, '.', 1) = ANY ($1::text[])`;

const indexesSql = `
  SELECT t.relname::text AS "table", i.relname::text AS name, x.indisunique AS "isUnique",
    ARRAY(
      SELECT a.attname::text FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number ORDER BY k.place
    ) AS columns
  FROM pg_index x
  JOIN pg_class t ON t.oid = x.indrelid
  JOIN pg_class i ON i.oid = x.indexrelid
  JOIN pg_namespace n ON n.oid = t.relnamespace
  WHERE n.nspname = current_schema() AND t.relname = ANY ($1::text[]) AND NOT x.indisprimary`;

/** The statements that make one collection what it shall be. */
function collectionChanges(
  collection: string,
  indexes: readonly IndexDefinition[],
  found: (FoundTable & { indexes: readonly FoundIndex[] }) | undefined,
): string[] {
  const own = found?.indexes.filter(({ name }) => name.startsWith(`${collection}.`)) ?? [];
  const isFound = (index: IndexDefinition): boolean => own.some((other) => isSame(collection, index, other));
  return [
    ...(found ? columnChanges(collection, indexes, found) : [tableSql(collection, indexes)]),
    ...own
      .filter((other) => !indexes.some((index) => isSame(collection, index, other)))
      .map(({ name }) => `DROP INDEX ${sqlName(name)}`),
    ...indexes.filter((index) => !isFound(index)).map((index) => indexSql(collection, index)),
  ];
}

function tableSql(collection: string, indexes: readonly IndexDefinition[]): string {
  const columns = [
    `id text COLLATE "C" CONSTRAINT ${sqlName(safeName(`${collection}_pkey`))} PRIMARY KEY`,
    "version bigint NOT NULL",
    "doc json NOT NULL",
    readableColumnSql,
    ...keyFields(indexes).map(keyColumnSql),
  ];
  return `CREATE TABLE ${sqlName(collection)} (${columns.join(", ")})`;
}

/** One statement for all new columns: each would write the whole table anew. */
function columnChanges(collection: string, indexes: readonly IndexDefinition[], { columns }: FoundTable): string[] {
  const missing = keyFields(indexes).filter((field) => !columns.includes(keyColumnName(field)));
  if (missing.length === 0) return [];
  return [
    `ALTER TABLE ${sqlName(collection)} ${missing.map((field) => `ADD COLUMN ${keyColumnSql(field)}`).join(", ")}`,
  ];
}

/** The identifier at the end lets an index serve the order of a list as well. */
function indexFields(index: IndexDefinition): readonly string[] {
  return index.isUnique || index.fields.includes("_id") ? index.fields : [...index.fields, "_id"];
}

function isSame(collection: string, index: IndexDefinition, found: FoundIndex): boolean {
  return (
    indexName(collection, index) === found.name &&
    (index.isUnique ?? false) === found.isUnique &&
    indexFields(index).map(keyColumnName).join("\n") === found.columns.join("\n")
  );
}

/** In the order of finds, in which null or missing comes first. */
function indexSql(collection: string, index: IndexDefinition): string {
  const columns = indexFields(index).map((field) => (field === "_id" ? "id" : `${keyColumn(field)} NULLS FIRST`));
  return `CREATE ${index.isUnique ? "UNIQUE " : ""}INDEX ${sqlName(indexName(collection, index))} ON ${sqlName(collection)} (${columns.join(", ")})`;
}
