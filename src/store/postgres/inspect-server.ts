import { Connection, type ConnectionOptions } from "./connection.ts";

/** A PostgreSQL server as an operator should know it. */
export interface ServerInspection {
  /** E.g. `17.2`. */
  version: string;
  /** E.g. 170002. */
  versionNumber: number;
  encoding: string;
  maxConnections: number;
  /** Of those, kept for superusers and other privileged roles. */
  reservedConnections: number;
  usedConnections: number;
  synchronousCommit: string;
  isFsyncOn: boolean;
  /** A standby answers queries but takes no writes. */
  isStandby: boolean;
  databaseBytes: number;
  /** Server's clock less ours, milliseconds; right to within half of `roundTripMs`. */
  clockAheadMs: number;
  roundTripMs: number;
}

interface ServerRow extends Omit<ServerInspection, "clockAheadMs" | "roundTripMs"> {}

const inspectSql = `SELECT
  current_setting('server_version') AS version,
  current_setting('server_version_num')::integer AS "versionNumber",
  current_setting('server_encoding') AS encoding,
  current_setting('max_connections')::integer AS "maxConnections",
  current_setting('superuser_reserved_connections')::integer
    + coalesce(current_setting('reserved_connections', true), '0')::integer AS "reservedConnections",
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::integer AS "usedConnections",
  current_setting('synchronous_commit') AS "synchronousCommit",
  current_setting('fsync') = 'on' AS "isFsyncOn",
  pg_is_in_recovery() AS "isStandby",
  pg_database_size(current_database()) AS "databaseBytes"`;

/** Asks the server about itself; nothing is changed. Errors are those of the driver, or StoreUnavailableError. */
export async function inspectServer(options: ConnectionOptions): Promise<ServerInspection> {
  const connection = await new Connection(options).open();
  try {
    const [row] = await connection.query<ServerRow>(inspectSql);
    if (!row) throw new Error("the server does not tell about itself");
    return { ...row, ...(await compareClocks(connection, () => options.clock.now())) };
  } finally {
    await connection.end();
  }
}

/** The server's time of day against ours; of three looks the quickest, which is the most exact. */
export async function compareClocks(connection: Connection, now: () => number): Promise<ClockComparison> {
  const looks: ClockComparison[] = [];
  for (let look = 0; look < 3; look++) looks.push(await compareOnce(connection, now));
  return looks.reduce((best, look) => (look.roundTripMs < best.roundTripMs ? look : best));
}

type ClockComparison = Pick<ServerInspection, "clockAheadMs" | "roundTripMs">;

async function compareOnce(connection: Connection, now: () => number): Promise<ClockComparison> {
  const sentAt = now();
  const [row] = await connection.query<{ at: number }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at",
  );
  const receivedAt = now();
  const roundTripMs = receivedAt - sentAt;
  return { roundTripMs, clockAheadMs: Math.round((row?.at ?? 0) - (sentAt + roundTripMs / 2)) };
}
