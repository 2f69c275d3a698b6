import { startPostgresServer, type PostgresServer } from "../../test/support/postgres-server.ts";
import { startRedis, type RedisServer } from "./redis.ts";
import type { Environment } from "./slow-fsync.ts";

/** The database servers of a run, each started when it is first asked for. All wait for the disk at each commit. */
export interface Databases {
  postgres(): Promise<PostgresServer>;
  redis(): Promise<RedisServer>;
  stop(): Promise<void>;
}

/** `environment` goes to the servers, and from there to all their processes. */
export function openDatabases(environment: Environment = {}): Databases {
  let postgres: Promise<PostgresServer> | undefined;
  let redis: Promise<RedisServer> | undefined;
  return {
    postgres: () => (postgres ??= startPostgres(environment)),
    redis: () => (redis ??= startRedis(environment)),
    async stop() {
      await Promise.all([postgres, redis].map(async (server) => (await server?.catch(() => undefined))?.stop()));
    },
  };
}

/** PostgreSQL as it comes, with room for the connections of all who are measured. */
async function startPostgres(environment: Environment): Promise<PostgresServer> {
  const before = Object.fromEntries(Object.keys(environment).map((name) => [name, process.env[name]]));
  Object.assign(process.env, environment);
  try {
    return await startPostgresServer({ fsync: true });
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
