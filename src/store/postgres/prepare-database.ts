import type { Collections } from "../indexes.ts";
import { createCollections } from "./collection-tables.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { latestVersion, migrate } from "./migrations.ts";

/** Any number that nobody else locks: "linewright" in a few bytes. */
const lockKey = 0x6c_77_72_74;
const oldestServer = 150_000;
/** Migrations of big tables take their time; nobody else waits for this connection. */
const patienceMs = 3_600_000;

/** Brings schema, tables and indexes of a database up to date; nodes that start at the same moment take turns. */
export async function prepareDatabase(options: ConnectionOptions, collections: Collections): Promise<void> {
  const connection = await new Connection(options).open();
  try {
    await refuseOldServer(connection);
    await connection.query("BEGIN");
    await connection.query("SELECT pg_advisory_xact_lock($1)", [lockKey], patienceMs);
    const before = await migrate(connection.client);
    // A newer release has made its tables and indexes; what this one would drop there is in use.
    if (before.version <= latestVersion) await createCollections(connection.client, collections);
    await connection.query("COMMIT", [], patienceMs);
  } finally {
    await connection.end();
  }
}

async function refuseOldServer(connection: Connection): Promise<void> {
  const sql =
    "SELECT current_setting('server_version_num')::integer AS version, current_setting('server_encoding') AS encoding";
  const [server] = await connection.query<{ version: number; encoding: string }>(sql);
  if (!server || server.version < oldestServer)
    throw new Error(`PostgreSQL ${(server?.version ?? 0) / 10_000} is too old: Linewright needs version 15 or newer`);
  if (server.encoding !== "UTF8")
    throw new Error(`The database has the encoding ${server.encoding}: Linewright needs UTF8`);
}
