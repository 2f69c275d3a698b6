import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { randomNumbers } from "../simulation/statement-faults.ts";
import { startServerProcess, type ServerProcess } from "../support/server-process.ts";
import { checkStore, type CheckReport } from "./checker.ts";
import {
  httpClient,
  importShapes,
  openWork,
  quiet,
  settle,
  startNextJob,
  workManualTasks,
  type HttpClient,
} from "./http-run.ts";
import { untilWorkIsDone } from "./later-work.ts";
import type { Laboratory } from "./laboratory.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";

export interface ServerOptions {
  jobs: number;
  kills: number;
  seed: number;
  say?: (line: string) => void;
}

export interface ServerReport extends CheckReport {
  kills: number;
  /** Longest time from the first answer after a restart until a job that was under way moved on, milliseconds. */
  longestPauseMs: number;
  seconds: number;
}

interface Run {
  server: ServerProcess;
  record: RunRecord;
  random: () => number;
  /** Answers of the living server that are errors. */
  strange: string[];
}

const longestRestMs = 120_000;

/**
 * Kills a whole server, spoken to over HTTP, at random moments, and starts it again on the same data.
 * Throws when the living server answers with an error.
 */
export async function server(laboratory: Laboratory, options: ServerOptions): Promise<ServerReport> {
  const startedAt = performance.now();
  const { expected } = await laboratory.rehearse({ kind: "sqlite" });
  const first = await startServerProcess({ environment: quiet });
  const run: Run = { server: first, record: createRunRecord(), random: randomNumbers(options.seed), strange: [] };
  try {
    await importShapes(httpClient(run.server));
    const longestPauseMs = await killAgainAndAgain(run, options);
    await settle(httpClient(run.server), run.record, longestRestMs);
    const file = join(run.server.dataDir, "linewright.db");
    const openStore = () => createSqliteStore({ file, thread: "inline" });
    await untilWorkIsDone(openStore, longestRestMs);
    await run.server.kill();
    if (run.strange.length > 0) throw new Error(`the server answered with errors: ${run.strange.join("; ")}`);
    const report = await checkStore(openStore, { expected, ...run.record });
    for (const example of report.examples) options.say?.(example);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { ...report, kills: options.kills, longestPauseMs: Math.round(longestPauseMs), seconds };
  } finally {
    await run.server.kill();
    await rm(run.server.dataDir, { recursive: true, force: true });
  }
}

/** Returns the longest time it took until a job moved on after a restart. */
async function killAgainAndAgain(run: Run, { jobs, kills, say }: ServerOptions): Promise<number> {
  let longestPauseMs = 0;
  for (let kill = 0; kill < kills; kill++) {
    const work = disturb(run, Math.ceil(((kill + 1) * jobs) / kills));
    await pause(20 + run.random() * 280);
    await run.server.kill();
    await work;
    run.server = await run.server.restart();
    longestPauseMs = Math.max(longestPauseMs, await timeToMove(httpClient(run.server)));
    if (kill % 20 === 19) say?.(`${kill + 1} kills, ${run.record.acknowledged.size} jobs started`);
  }
  return longestPauseMs;
}

/** Starts jobs until as many were asked for as wanted, and works manual tasks, until the server is gone. */
async function disturb({ server, record, strange }: Run, wanted: number): Promise<void> {
  const client = httpClient(server);
  try {
    while (record.asked.size < wanted) await startNextJob(client, record);
    for (;;) await workManualTasks(client, record);
  } catch (error) {
    // A TypeError is how fetch tells that the server was killed in the middle of a request.
    if (!(error instanceof TypeError)) strange.push(String(error));
  }
}

/** A job that waits for a long timer does not move. */
const longestPauseMs = 10_000;

/** How long after a restart it takes until a job that was under way moves on; 0 when none waits for the engine. */
async function timeToMove(client: HttpClient): Promise<number> {
  const startedAt = performance.now();
  const before = await openWork(client);
  if (before.length === 0) return 0;
  while (performance.now() - startedAt < longestPauseMs) {
    const now = new Set(await openWork(client));
    if (before.some((task) => !now.has(task))) return performance.now() - startedAt;
    await pause(20);
  }
  return performance.now() - startedAt;
}
