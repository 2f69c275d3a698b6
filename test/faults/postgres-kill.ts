import { setTimeout as pause } from "node:timers/promises";
import { startNode, type NodeProcess } from "../simulation/node-process.ts";
import { randomNumbers } from "../simulation/statement-faults.ts";
import { startPostgresServer, type PostgresServer } from "../support/postgres-server.ts";
import type { CheckReport } from "./checker.ts";
import { keepsCommitTimes } from "../support/commit-times.ts";
import { checkPremises, leaseMs, type Laboratory } from "./laboratory.ts";
import { createPremises } from "./premises.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";

export interface PostgresKillOptions {
  kills: number;
  jobsPerKill: number;
  seed: number;
  say?: (line: string) => void;
}

export interface PostgresKillReport extends CheckReport {
  kills: number;
  /** Starts that were answered with an error. */
  refused: number;
  /** Longest time from the moment PostgreSQL is up again until a start is acknowledged, milliseconds. */
  longestRecoveryMs: number;
  seconds: number;
}

const longestRestMs = 150_000;

/**
 * Kills PostgreSQL and all its processes with SIGKILL while a node works on it, and starts it again. Its
 * commits wait for the disk, as they do in production.
 */
export async function postgresKill(laboratory: Laboratory, options: PostgresKillOptions): Promise<PostgresKillReport> {
  const startedAt = performance.now();
  const { expected } = await laboratory.rehearse({ kind: "sqlite" });
  const server = await startPostgresServer({ fsync: true, settings: keepsCommitTimes });
  const premises = await createPremises({ kind: "postgres", server });
  const record = createRunRecord();
  const random = randomNumbers(options.seed);
  try {
    const settings = { ...premises.settings, life: "only", leaseMs };
    const node = await startNode(laboratory.main, settings, record.listen);
    let longestRecoveryMs = 0;
    for (let kill = 1; kill <= options.kills; kill++) {
      node.send({ do: "start", jobs: record.nextJobs(options.jobsPerKill) });
      await pause(random() * 400);
      longestRecoveryMs = Math.max(longestRecoveryMs, await killOnce({ server, node, record, random }));
      options.say?.(`${kill} kills, ${record.acknowledged.size} jobs acknowledged`);
    }
    node.send({ do: "settle", withinMs: longestRestMs });
    await node.next("settled");
    await node.stop();
    const rules = { mayRepeatInOneLife: true, mayBeLate: false };
    const report = await checkPremises(premises, record, expected, rules);
    for (const example of report.examples) options.say?.(example);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const recovery = Math.round(longestRecoveryMs);
    return { ...report, kills: options.kills, refused: record.refused, longestRecoveryMs: recovery, seconds };
  } finally {
    await server.stop();
  }
}

interface OneKill {
  server: PostgresServer;
  node: NodeProcess;
  record: RunRecord;
  random: () => number;
}

/** Answers how long after the restart it took until a start was acknowledged, milliseconds. */
async function killOnce({ server, node, record, random }: OneKill): Promise<number> {
  await server.kill();
  node.send({ do: "start", jobs: record.nextJobs(2) });
  await pause(random() * 600);
  await server.restart();
  return timeToStart(node, record);
}

const betweenTriesMs = 50;

/** Asks for one job after the other until one is acknowledged. */
export async function timeToStart(node: NodeProcess, record: RunRecord): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const [job] = record.nextJobs(1);
    if (!job) return 0;
    node.send({ do: "start", jobs: [job] });
    await Promise.race([node.next("started"), node.next("refused")]);
    if (record.acknowledged.has(job.description)) return performance.now() - startedAt;
    await pause(betweenTriesMs);
  }
}
