import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { NodeSettings } from "../simulation/node-messages.ts";
import { NodeEndedError, startNode, type NodeProcess } from "../simulation/node-process.ts";
import { startPrefix } from "../simulation/points.ts";
import { randomNumbers } from "../simulation/statement-faults.ts";
import type { CheckReport } from "./checker.ts";
import { createKillPlan, type KillPlan, type KillPoint } from "./kill-points.ts";
import { leaseMs, withStore, type Laboratory, type PointCounts, type Rehearsal } from "./laboratory.ts";
import { createPremises, type Premises, type PremisesOptions } from "./premises.ts";
import { checkRemoval } from "./removal-check.ts";
import { removedWorkflow } from "./removal-shapes.ts";
import { runRounds, type KillingOptions, type KillingReport, type RoundOfKills } from "./rounds.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";

export interface RemovalReport extends KillingReport {
  /** Deletions by people that were answered. */
  deleted: number;
  seconds: number;
}

const killsPerRound = 20;
/** Jobs are kept for an hour, and each life is so much later than the one before. */
const keptDays = 1 / 24;
const betweenLivesMs = 2 * 3_600_000;
const longestWaitMs = 4_000;
const longestRestMs = 60_000;

interface Campaign {
  options: KillingOptions;
  laboratory: Laboratory;
  rehearsal: Rehearsal;
  plan: KillPlan;
  killedAtPoints: number;
  deleted: number;
}

/** One store through many lives. */
interface Round {
  premises: Premises;
  archive: string;
  record: RunRecord;
  /** Lives so far: how late it is. */
  lives: number;
  /** Is there another node in each life, which goes on? */
  hasCompanion: boolean;
}

/**
 * Kills nodes while people delete every second job that has ended, and age takes the others: archived, then
 * deleted. In the end there is nothing left but the archive and the figures.
 */
export async function removal(laboratory: Laboratory, options: KillingOptions): Promise<RemovalReport> {
  const startedAt = performance.now();
  const rehearsal = await laboratory.rehearse(options.premises);
  const points = await rehearseRemoval(laboratory, options.premises);
  const plan = createKillPlan(points, randomNumbers(options.seed));
  const campaign: Campaign = { options, laboratory, rehearsal, plan, killedAtPoints: 0, deleted: 0 };
  const jobsPerLife = Math.max(1, Math.round(options.jobs / options.kills));
  const run = ({ number, kills }: RoundOfKills) => runRound(campaign, { kills, jobsPerLife, isOdd: number % 2 === 1 });
  const report = await runRounds(campaign, { killsPerRound, lanes: 1, run });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { ...report, deleted: campaign.deleted, seconds };
}

/** Runs one store through its lives without faults, to find out the points. */
async function rehearseRemoval(laboratory: Laboratory, options: PremisesOptions): Promise<PointCounts> {
  const round = await openRound(options, false);
  const points: Record<string, number> = {};
  try {
    for (const jobs of [jobsOfRehearsal, 0, 0]) {
      const node = await startLife(laboratory, round);
      node.send({ do: "start", jobs: nextJobs(round.record, jobs) });
      await endLife(node, jobs === 0);
      node.send({ do: "count" });
      const counted = await node.next("counted");
      for (const [name, count] of Object.entries(counted.points)) points[name] = (points[name] ?? 0) + count;
      await node.stop();
    }
  } finally {
    await round.premises.remove();
  }
  return Object.fromEntries(Object.entries(points).filter(([name]) => !name.startsWith(startPrefix)));
}

/** Two of each shape. */
const jobsOfRehearsal = 16;

async function openRound(options: PremisesOptions, hasCompanion: boolean): Promise<Round> {
  const premises = await createPremises(options);
  const archive = join(premises.folder, "archive");
  return { premises, archive, record: createRunRecord(), lives: 0, hasCompanion };
}

function nextJobs(record: RunRecord, count: number) {
  return Array.from({ length: count }, () => {
    const workflow = removedWorkflow(record.asked.size);
    return { workflow, description: record.ask(workflow) };
  });
}

/** A life that begins hours after the one before. */
function startLife({ main }: Laboratory, round: Round, killAt?: KillPoint): Promise<NodeProcess> {
  round.lives += 1;
  return startNode(main, settingsOf(round, killAt), round.record.listen);
}

function settingsOf({ premises, archive, lives }: Round, killAt?: KillPoint): NodeSettings {
  return {
    ...premises.settings,
    life: randomUUID(),
    leaseMs,
    aheadMs: lives * betweenLivesMs,
    retention: { days: keptDays, archiveDir: archive },
    ...(killAt ? { killAt } : {}),
  };
}

async function endLife(node: NodeProcess, withLater: boolean): Promise<void> {
  node.send({ do: "settle", withinMs: longestRestMs, withLater });
  await node.next("settled");
}

interface RoundSize {
  kills: number;
  jobsPerLife: number;
  isOdd: boolean;
}

async function runRound(campaign: Campaign, { kills, jobsPerLife, isOdd }: RoundSize): Promise<CheckReport> {
  const { options, laboratory, rehearsal } = campaign;
  const round = await openRound(options.premises, isOdd && options.premises.kind === "postgres");
  try {
    for (let kill = 0; kill < kills; kill++) await killOnce(campaign, round, jobsPerLife);
    // One life to end what there is, one that is late enough for it to go, one for what is kept a while longer.
    for (const withLater of [false, false, true]) {
      const node = await startLife(laboratory, round);
      await endLife(node, withLater);
      await node.stop();
    }
    campaign.deleted += round.record.deleted.size;
    const { archive, record } = round;
    return await withStore(round.premises, (store) =>
      checkRemoval({ store, archive, expected: rehearsal.expected, record }),
    );
  } finally {
    await round.premises.remove();
  }
}

/** A life that ends at its point: on its way, or with jobs to run and to take away. */
async function killOnce(campaign: Campaign, round: Round, jobs: number): Promise<void> {
  const { laboratory, plan } = campaign;
  const point = plan.next();
  let companion: NodeProcess | undefined;
  let hasDied = false;
  try {
    const node = await startLife(laboratory, round, point);
    if (round.hasCompanion) companion = await startNode(laboratory.main, settingsOf(round), round.record.listen);
    node.send({ do: "start", jobs: nextJobs(round.record, jobs) });
    hasDied = await node.endsWithin(longestWaitMs);
    await node.kill();
  } catch (error) {
    if (!(error instanceof NodeEndedError) || error.signal !== "SIGKILL") throw error;
    hasDied = true;
  }
  await companion?.stop();
  plan.report(point, hasDied);
  if (hasDied) campaign.killedAtPoints += 1;
}
