import { mkdtemp, rm } from "node:fs/promises";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { NodeEndedError, startNode } from "../simulation/node-process.ts";
import { startPrefix } from "../simulation/points.ts";
import { randomNumbers } from "../simulation/statement-faults.ts";
import { serverPassword, startServerProcess } from "../support/server-process.ts";
import type { CheckReport } from "./checker.ts";
import { quiet } from "./http-run.ts";
import { createKillPlan, type KillPlan } from "./kill-points.ts";
import { checkPremises, leaseMs, type Laboratory, type Rehearsal } from "./laboratory.ts";
import { createPremises, type Premises, type PremisesOptions, type StoreKind } from "./premises.ts";
import { sumReports } from "./reports.ts";
import { createRunRecord } from "./run-record.ts";

export interface StartOptions {
  premises: PremisesOptions;
  /** How often a start is killed: every second time a whole server. */
  kills: number;
  seed: number;
  say?: (line: string) => void;
}

export interface StartReport extends CheckReport {
  store: StoreKind;
  /** Starts that were killed. */
  kills: number;
  /** Of these: a whole server. */
  serverKills: number;
  /** Points of the start where a process died at least once, of those there are. */
  pointsHit: number;
  points: number;
  seconds: number;
}

/** A store is new for so many kills: most points of a start are only passed while there is no schema. */
const killsPerRound = 5;
const jobsPerRound = 12;
const longestRestMs = 30_000;

/** Kills processes while they start, with an empty store at first: schema, collections, first account. The next start has to work. */
export async function start(laboratory: Laboratory, options: StartOptions): Promise<StartReport> {
  const startedAt = performance.now();
  const rehearsal = await laboratory.rehearse(options.premises);
  const random = randomNumbers(options.seed);
  const points = Object.entries(rehearsal.points).filter(([name]) => name.startsWith(startPrefix));
  const plan = createKillPlan(Object.fromEntries(points), random);
  const serverKills = Math.floor(options.kills / 2);
  const reports: CheckReport[] = [];
  for (let killed = 0; killed < options.kills - serverKills; killed += killsPerRound) {
    reports.push(await runRound({ laboratory, rehearsal, plan }, options.premises, killed));
    for (const example of reports.at(-1)?.examples ?? []) options.say?.(example);
  }
  const failures = await killServers(laboratory, options, pointsOfServer(serverKills, random));
  for (const failure of failures) options.say?.(failure);
  const deaths = Object.values(plan.deaths());
  const report = sumReports(reports);
  report.faults.stuck += failures.length;
  return {
    ...report,
    examples: [...failures, ...report.examples],
    store: options.premises.kind,
    kills: reports.length * killsPerRound + serverKills,
    serverKills,
    pointsHit: deaths.filter((count) => count > 0).length,
    points: deaths.length,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  };
}

interface Campaign {
  laboratory: Laboratory;
  rehearsal: Rehearsal;
  plan: KillPlan;
}

async function runRound(
  { laboratory, rehearsal, plan }: Campaign,
  where: PremisesOptions,
  from: number,
): Promise<CheckReport> {
  const premises = await createPremises(where);
  try {
    for (let turn = 0; turn < killsPerRound; turn++) await killStart(laboratory.main, premises, plan);
    const record = createRunRecord(from);
    const node = await startNode(laboratory.main, { ...premises.settings, life: "last", leaseMs }, record.listen);
    node.send({ do: "start", jobs: record.nextJobs(jobsPerRound) });
    node.send({ do: "settle", withinMs: longestRestMs });
    await node.next("settled");
    await node.stop();
    return await checkPremises(premises, record, rehearsal.expected);
  } finally {
    await premises.remove();
  }
}

/** Starts a node that dies on its way. One that does not come by there is killed when it is ready. */
async function killStart(main: string, premises: Premises, plan: KillPlan): Promise<void> {
  const killAt = plan.next();
  try {
    const node = await startNode(main, { ...premises.settings, life: "first", leaseMs, killAt }, () => undefined);
    await node.kill();
    plan.report(killAt, false);
  } catch (error) {
    if (!(error instanceof NodeEndedError) || error.signal !== "SIGKILL") throw error;
    plan.report(killAt, true);
  }
}

/** Kills whole servers on their way, on the same data. Answers how starts went wrong that were not killed. */
async function killServers(laboratory: Laboratory, { premises }: StartOptions, next: NextKill): Promise<string[]> {
  const failures: string[] = [];
  while (next.isWanted()) {
    const dataDir = await mkdtemp(join(tmpdir(), "linewright-start-"));
    const database = premises.kind === "postgres" ? await premises.server.createDatabase() : undefined;
    const databaseUrl = database?.url;
    const kills: number[] = [];
    try {
      while (next.isWanted() && kills.length < killsPerRound) {
        kills.push(next.point());
        await killServer(laboratory.startHook, { dataDir, databaseUrl, killAt: kills.at(-1) ?? 1 });
      }
      const server = await startServerProcess({ dataDir, environment: quiet, ...(databaseUrl ? { databaseUrl } : {}) });
      await server.request("GET", "/operations-manager/jobs?limit=1");
      await server.kill();
    } catch (error) {
      failures.push(`a server does not start after kills at its points ${kills.join(", ")}: ${String(error)}`);
    }
    await database?.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
  return failures;
}

/** The points of a server's start at which it is to be killed: many of the first ones, and some of all. */
interface NextKill {
  isWanted(): boolean;
  point(): number;
}

/** A start has some hundreds of points; a later start on the same data fewer. */
const mostPoints = 600;

function pointsOfServer(kills: number, random: () => number): NextKill {
  let count = 0;
  return {
    isWanted: () => count < kills,
    point() {
      count += 1;
      return Math.ceil(mostPoints ** random());
    },
  };
}

interface ServerKill {
  dataDir: string;
  databaseUrl: string | undefined;
  killAt: number;
}

/** Starts a server that dies at a point of its start. One that does not come by there is killed when it serves. */
async function killServer(startHook: string, { dataDir, databaseUrl, killAt }: ServerKill): Promise<void> {
  const environment = {
    ...process.env,
    ...quiet,
    FAULTS_KILL_AT: String(killAt),
    LINEWRIGHT_ADMIN_PASSWORD: serverPassword,
    LINEWRIGHT_DATA_DIR: dataDir,
    LINEWRIGHT_PORT: "0",
    ...(databaseUrl === undefined ? {} : { LINEWRIGHT_DATABASE_URL: databaseUrl }),
  };
  const child = spawn(process.execPath, ["--import", pathToFileURL(startHook).href, "dist/main.js", "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment,
  });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  // The first thing it says is where it serves.
  child.stdout.once("data", () => child.kill("SIGKILL"));
  await once(child, "close");
  if (child.signalCode !== "SIGKILL") throw new Error(`it ended with code ${child.exitCode}: ${said.slice(0, 500)}`);
}
