import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { randomNumbers } from "../simulation/statement-faults.ts";
import { startServerProcess, type ServerProcess } from "../support/server-process.ts";
import { readCommitTimes } from "../support/commit-times.ts";
import { checkStore, type CheckReport } from "./checker.ts";
import { httpClient, importShapes, openWork, quiet, settle, startNextJob, workManualTasks } from "./http-run.ts";
import { untilWorkIsDone } from "./later-work.ts";
import type { Laboratory } from "./laboratory.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";

export interface NodesOptions {
  nodes: number;
  kills: number;
  jobs: number;
  seed: number;
  say?: (line: string) => void;
}

export interface NodesReport extends CheckReport {
  nodes: number;
  kills: number;
  /** Longest time from the death of a node until the work it had was done by the others, milliseconds. */
  longestTakeOverMs: number;
  medianTakeOverMs: number;
  seconds: number;
}

const longestRestMs = 120_000;
/** The encryption key that all nodes share. */
const sharedKey = "6c".repeat(32);

interface Cluster {
  servers: ServerProcess[];
  record: RunRecord;
  random: () => number;
  strange: string[];
}

/** Several servers on one PostgreSQL. One after the other is killed while all of them work; the others take its work over. */
export async function nodes(laboratory: Laboratory, options: NodesOptions): Promise<NodesReport> {
  const startedAt = performance.now();
  const where = await laboratory.premisesOf("postgres");
  if (where.kind !== "postgres") throw new Error("several nodes need PostgreSQL");
  const { expected } = await laboratory.rehearse({ kind: "sqlite" });
  const database = await where.server.createDatabase();
  const environment = { ...quiet, LINEWRIGHT_ENCRYPTION_KEY: sharedKey };
  const servers: ServerProcess[] = [];
  try {
    for (let node = 0; node < options.nodes; node++)
      servers.push(await startServerProcess({ databaseUrl: database.url, environment }));
    const cluster: Cluster = { servers, record: createRunRecord(), random: randomNumbers(options.seed), strange: [] };
    await importShapes(httpClient(servers[0]!));
    const takeOversMs = await killInTurn(cluster, options);
    await settle(httpClient(servers[0]!), cluster.record, longestRestMs);
    const openStore = () => createPostgresStore({ url: database.url });
    await untilWorkIsDone(openStore, longestRestMs);
    for (const server of servers) await server.kill();
    if (cluster.strange.length > 0) throw new Error(`the servers answered with errors: ${cluster.strange.join("; ")}`);
    const commitTimes = await readCommitTimes(database.url);
    const report = await checkStore(openStore, { expected, ...cluster.record, commitTimes });
    for (const example of report.examples) options.say?.(example);
    const sorted = takeOversMs.toSorted((left, right) => left - right).map(Math.round);
    const figures = { longestTakeOverMs: sorted.at(-1) ?? 0, medianTakeOverMs: sorted[sorted.length >> 1] ?? 0 };
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { ...report, nodes: options.nodes, kills: options.kills, ...figures, seconds };
  } finally {
    for (const server of servers) {
      await server.kill();
      await rm(server.dataDir, { recursive: true, force: true });
    }
    await database.remove();
  }
}

async function killInTurn(cluster: Cluster, { kills, jobs, say }: NodesOptions): Promise<number[]> {
  const takeOversMs: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const victim = kill % cluster.servers.length;
    const wanted = Math.ceil(((kill + 1) * jobs) / kills);
    const work = cluster.servers.map((server) => disturb(cluster, server, wanted));
    await pause(50 + cluster.random() * 250);
    await cluster.servers[victim]?.kill();
    takeOversMs.push(await timeToTakeOver(cluster, victim));
    await Promise.all(work);
    cluster.servers[victim] = await cluster.servers[victim]!.restart();
    if (kill % 10 === 9) say?.(`${kill + 1} kills, ${cluster.record.acknowledged.size} jobs started`);
  }
  return takeOversMs;
}

/** Starts jobs at a node until as many were asked for as wanted, and works manual tasks, for a moment or until it is gone. */
async function disturb({ record, strange }: Cluster, server: ServerProcess, wanted: number): Promise<void> {
  const client = httpClient(server);
  try {
    while (record.asked.size < wanted) await startNextJob(client, record);
    await workManualTasks(client, record);
  } catch (error) {
    // A TypeError is how fetch tells that the server was killed in the middle of a request.
    if (!(error instanceof TypeError)) strange.push(String(error));
  }
}

const longestTakeOverMs = 30_000;

/** How long it takes until all that was under way at the death of a node has moved on. */
async function timeToTakeOver({ servers }: Cluster, victim: number): Promise<number> {
  const startedAt = performance.now();
  const client = httpClient(servers[(victim + 1) % servers.length]!);
  const left = new Set(await openWork(client));
  while (left.size > 0 && performance.now() - startedAt < longestTakeOverMs) {
    await pause(20);
    const open = new Set(await openWork(client));
    for (const task of left) if (!open.has(task)) left.delete(task);
  }
  return performance.now() - startedAt;
}
