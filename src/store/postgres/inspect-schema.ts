import type { Collections } from "../indexes.ts";
import { compareNames, type SchemaNames, type SchemaState } from "../schema-state.ts";
import { indexName } from "./collection-tables.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { latestVersion, readSchemaVersion } from "./migrations.ts";

const namesSql = `SELECT
  ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r') AS tables,
  ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'i') AS indexes`;

/** The schema of a database; nothing is changed. Errors are those of the driver, or StoreUnavailableError. */
export async function inspectDatabaseSchema(
  options: ConnectionOptions,
  collections: Collections,
): Promise<SchemaState> {
  const connection = await new Connection(options).open();
  try {
    const { version, compatibleFrom } = await readSchemaVersion(connection.client);
    const [found] = await connection.query<SchemaNames>(namesSql);
    // What a newer release has made is not this one's to judge.
    const names =
      version > latestVersion
        ? { missing: [], unknown: [] }
        : compareNames(collections, indexName, found ?? { tables: [], indexes: [] });
    return { version, needed: compatibleFrom, latest: latestVersion, ...names };
  } finally {
    await connection.end();
  }
}
