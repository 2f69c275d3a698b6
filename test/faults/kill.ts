import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { startNode, type NodeProcess } from "../simulation/node-process.ts";
import { startPrefix } from "../simulation/points.ts";
import { randomNumbers } from "../simulation/statement-faults.ts";
import type { CheckReport } from "./checker.ts";
import { createKillPlan, type KillPlan } from "./kill-points.ts";
import { checkAfterSweep, checkPremises, leaseMs, type Laboratory, type Rehearsal } from "./laboratory.ts";
import { createPremises, type Premises } from "./premises.ts";
import { runRounds, type KillingOptions, type KillingReport, type RoundOfKills } from "./rounds.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";

export interface KillReport extends KillingReport {
  /** Deaths by point. */
  deaths: Record<string, number>;
  /** Middle and longest time from the start of a process until it works, milliseconds. */
  startMs: { median: number; longest: number };
  seconds: number;
}

/** A store is new for so many kills: what has been built up is looked at before it grows too large. */
const killsPerRound = 25;
/** Of so many rounds one is with the thread that writes, where processes die at any moment. */
const roundsPerRandomOne = 5;
/** So long a node may take to come by at a point; when it has nothing left to do before, it never will. */
const longestWaitMs = 1_200;
const longestWaitForFewMs = 4_000;
const longestRestMs = 60_000;
/** Rounds at the same time: a node waits most of the time. */
const lanes = 2;

interface Campaign {
  options: KillingOptions;
  laboratory: Laboratory;
  rehearsal: Rehearsal;
  plan: KillPlan;
  random: () => number;
  killedAtPoints: number;
  startsMs: number[];
}

/**
 * Lets a node kill itself at each of its points again and again, starts it again on the same data with
 * more jobs, and checks every job in the end.
 */
export async function kill(laboratory: Laboratory, options: KillingOptions): Promise<KillReport> {
  const startedAt = performance.now();
  const rehearsal = await laboratory.rehearse(options.premises);
  const random = randomNumbers(options.seed);
  const plan = createKillPlan(pointsOfWork(rehearsal.points), random);
  const campaign: Campaign = { options, laboratory, rehearsal, plan, random, killedAtPoints: 0, startsMs: [] };
  const report = await runRounds(campaign, { killsPerRound, lanes, run: (round) => runRound(campaign, round) });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { ...report, deaths: plan.deaths(), startMs: middleAndLongest(campaign.startsMs), seconds };
}

/** The start is killed by another programme. */
function pointsOfWork(points: Rehearsal["points"]): Rehearsal["points"] {
  return Object.fromEntries(Object.entries(points).filter(([name]) => !name.startsWith(startPrefix)));
}

/**
 * Kills a node on new data, again and again, lets the jobs end, and checks them. Every second time with
 * PostgreSQL there is another node, which lives and takes over.
 */
async function runRound(campaign: Campaign, { number, kills, killed }: RoundOfKills): Promise<CheckReport> {
  const { options, rehearsal } = campaign;
  const jobsUntil = (kill: number): number => Math.round((options.jobs * kill) / options.kills);
  const isRandom = number % roundsPerRandomOne === roundsPerRandomOne - 1;
  const { premises: wanted } = options;
  const hasCompanion = wanted.kind === "postgres" && number % 2 === 1;
  const premises = await createPremises(
    isRandom && wanted.kind === "sqlite" ? { ...wanted, thread: "worker" } : wanted,
  );
  try {
    const from = jobsUntil(killed);
    const record = createRunRecord(from);
    const companion = hasCompanion ? await startLife(campaign, premises, record) : undefined;
    let node = await startLife(campaign, premises, record);
    for (let turn = 1; turn <= kills; turn++) {
      const jobs = jobsUntil(killed + turn) - from - record.asked.size;
      await killOnce(campaign, { node, record, jobs, isRandom });
      node = await startLife(campaign, premises, record);
    }
    node.send({ do: "settle", withinMs: longestRestMs });
    await node.next("settled");
    await node.stop();
    await companion?.stop();
    // Two that live may take a lease for ended that is only late: at least once, whoever does it.
    const rules = { mayRepeatInOneLife: hasCompanion, mayBeLate: hasCompanion };
    const report = await checkPremises(premises, record, rehearsal.expected, rules);
    await sweep(campaign, premises, report);
    return report;
  } finally {
    await premises.remove();
  }
}

/** By then everything is over that is kept for a while. */
const sweepAfterMs = 3 * 3_600_000;

/** A last life, hours later: it takes away what was kept for a while. */
async function sweep({ laboratory }: Campaign, premises: Premises, report: CheckReport): Promise<void> {
  const settings = { ...premises.settings, life: "last", leaseMs, aheadMs: sweepAfterMs };
  const node = await startNode(laboratory.main, settings, () => undefined);
  node.send({ do: "settle", withinMs: longestRestMs, withLater: true });
  await node.next("settled");
  await node.stop();
  const findings = await checkAfterSweep(premises);
  report.faults.leftover += findings.faults.leftover;
  report.examples.push(...findings.examples);
}

async function startLife(campaign: Campaign, premises: Premises, record: RunRecord): Promise<NodeProcess> {
  const settings = { ...premises.settings, life: randomUUID(), leaseMs };
  const node = await startNode(campaign.laboratory.main, settings, record.listen);
  campaign.startsMs.push(node.readyMs);
  return node;
}

interface Life {
  node: NodeProcess;
  record: RunRecord;
  /** How many more it gets. */
  jobs: number;
  isRandom: boolean;
}

/** Asks for more jobs and lets the node die in the middle of them. */
async function killOnce(campaign: Campaign, { node, record, jobs, isRandom }: Life): Promise<void> {
  const { plan, random } = campaign;
  const point = isRandom ? undefined : plan.next();
  if (point) node.send({ do: "arm", point: point.point, occurrence: point.occurrence });
  node.send({ do: "start", jobs: record.nextJobs(jobs, point?.workflow) });
  if (point) {
    const hasDied = await node.endsWithin(point.workflow ? longestWaitForFewMs : longestWaitMs);
    plan.report(point, hasDied);
    if (hasDied) campaign.killedAtPoints += 1;
  } else await pause(20 + random() * 280);
  await node.kill();
}

function middleAndLongest(timesMs: readonly number[]): KillReport["startMs"] {
  const sorted = timesMs.toSorted((left, right) => left - right);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 };
}
