import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { startPostgresServer } from "../support/postgres-server.ts";
import { startServerProcess, type ServerProcess } from "../support/server-process.ts";
import { ApiProbe, type ProbeFigures } from "./api-probe.ts";
import { checkStore, type CheckReport } from "./checker.ts";
import { httpClient, importShapes, quiet, settle } from "./http-run.ts";
import { untilWorkIsDone } from "./later-work.ts";
import type { Laboratory } from "./laboratory.ts";
import type { StoreKind } from "./premises.ts";
import { createRunRecord } from "./run-record.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

export interface DiskFullOptions {
  store: StoreKind;
  fills: number;
  say?: (line: string) => void;
}

export interface DiskFullReport extends CheckReport {
  store: StoreKind;
  fills: number;
  /** Times that new work was refused while the disk was full. */
  refusals: number;
  /** Restarts of the database server, which ends itself when it cannot write its log. */
  databaseRestarts: number;
  api: ProbeFigures;
  seconds: number;
}

const longestRestMs = 150_000;
/** A full disk is noticed with the next commit. */
const longestUntilRefusedMs = 10_000;
const fullMs = 700;

/** A server whose data lies on a small disk. */
interface Patient {
  disk: SmallDisk;
  server: ServerProcess;
  /** What an operator does once there is room again. Answers whether there was anything to do. */
  repair(): Promise<boolean>;
  openStore(): Promise<Store>;
  close(): Promise<void>;
}

/**
 * Fills the disk of the data again and again while jobs run: new work has to be refused with 503, the
 * server has to stay, and to go on by itself when there is room.
 */
export async function diskFull(laboratory: Laboratory, options: DiskFullOptions): Promise<DiskFullReport> {
  const startedAt = performance.now();
  const { expected } = await laboratory.rehearse({ kind: "sqlite" });
  const patient = options.store === "sqlite" ? await sqlitePatient() : await postgresPatient();
  const record = createRunRecord();
  const client = httpClient(patient.server);
  try {
    await importShapes(client);
    const probe = new ApiProbe(client, record);
    const counts = { refusals: 0, databaseRestarts: 0 };
    for (let fill = 1; fill <= options.fills; fill++) {
      await pause(300);
      await patient.disk.fill();
      counts.refusals += await waitForRefusal(probe);
      probe.begin();
      await pause(fullMs);
      await patient.disk.free();
      counts.databaseRestarts += (await patient.repair()) ? 1 : 0;
      await probe.heal();
      if (fill % 5 === 0) options.say?.(`${options.store}: ${fill} fills, ${JSON.stringify(probe.figures())}`);
    }
    await probe.stop();
    await settle(client, record, longestRestMs);
    await untilWorkIsDone(patient.openStore, longestRestMs);
    await patient.server.kill();
    const report = await checkStore(patient.openStore, { expected, ...record });
    for (const example of report.examples) options.say?.(example);
    const api = probe.figures();
    report.faults.stuck += api.tooLate.length + (options.fills - counts.refusals);
    report.faults.different += api.strange.length;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { ...report, store: options.store, fills: options.fills, ...counts, api, seconds };
  } finally {
    await patient.close();
  }
}

/** Resolves with 1 when a request was answered 503 since, with 0 when that does not happen. */
async function waitForRefusal(probe: ApiProbe): Promise<number> {
  const before = probe.figures().unavailable;
  for (const until = performance.now() + longestUntilRefusedMs; performance.now() < until;) {
    if (probe.figures().unavailable > before) return 1;
    await pause(20);
  }
  return 0;
}

const sqliteMegabytes = 96;

async function sqlitePatient(): Promise<Patient> {
  const disk = await mountSmallDisk(sqliteMegabytes);
  const server = await startServerProcess({ dataDir: disk.folder, environment: quiet });
  return {
    disk,
    server,
    repair: async () => false,
    openStore: () => createSqliteStore({ file: join(disk.folder, "linewright.db"), thread: "inline" }),
    async close() {
      await server.kill();
      await disk.remove();
    },
  };
}

const postgresMegabytes = 320;
const postgresSettings = { min_wal_size: "32MB", max_wal_size: "64MB" };

async function postgresPatient(): Promise<Patient> {
  const disk = await mountSmallDisk(postgresMegabytes);
  const dataFolder = join(disk.folder, "postgres");
  const postgres = await startPostgresServer({ dataFolder, fsync: true, settings: postgresSettings });
  const database = await postgres.createDatabase();
  const server = await startServerProcess({ databaseUrl: database.url, environment: quiet });
  return {
    disk,
    server,
    async repair() {
      if (isAlive(postgres.pid)) return false;
      await postgres.restart();
      return true;
    },
    openStore: () => createPostgresStore({ url: database.url }),
    async close() {
      await server.kill();
      await postgres.stop();
      await disk.remove();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process any more.
    return false;
  }
}
