import { setTimeout as pause } from "node:timers/promises";
import { startNode, type NodeProcess } from "../simulation/node-process.ts";
import type { CheckReport } from "./checker.ts";
import { checkPremises, leaseMs, type Laboratory, type Rehearsal } from "./laboratory.ts";
import { createPremises, type PremisesOptions, type StoreKind } from "./premises.ts";
import { sumReports } from "./reports.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";

export interface StatementOptions {
  premises: PremisesOptions;
  jobs: number;
  /** Share of the statements that fail, 0 to 1. */
  chance: number;
  seed: number;
  say?: (line: string) => void;
}

export interface StatementReport extends CheckReport {
  store: StoreKind;
  /** Statements that failed. */
  failed: number;
  /** Starts that were answered with an error. */
  refused: number;
  seconds: number;
}

const jobsPerRound = 500;
const jobsPerBatch = 2;
const betweenBatchesMs = 15;
/** Statements go on failing for so long after the last start. */
const unrestMs = 2_500;
/** Work that failed again and again waits up to a minute before it is tried again. */
const longestRestMs = 150_000;

/** Lets statements of the store fail while jobs of all shapes are started and run, and checks every job in the end. */
export async function statements(laboratory: Laboratory, options: StatementOptions): Promise<StatementReport> {
  const startedAt = performance.now();
  const rehearsal = await laboratory.rehearse(options.premises);
  const reports: CheckReport[] = [];
  const totals = { failed: 0, refused: 0 };
  for (let asked = 0; asked < options.jobs; asked += jobsPerRound) {
    const round = { from: asked, jobs: Math.min(jobsPerRound, options.jobs - asked) };
    const { report, failed, refused } = await runRound({ laboratory, rehearsal, options }, round);
    reports.push(report);
    totals.failed += failed;
    totals.refused += refused;
    for (const example of report.examples) options.say?.(`${options.premises.kind}: ${example}`);
    options.say?.(`${options.premises.kind}: ${asked + round.jobs} jobs, ${totals.failed} failed statements`);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { ...sumReports(reports), ...totals, store: options.premises.kind, seconds };
}

interface Programme {
  laboratory: Laboratory;
  rehearsal: Rehearsal;
  options: StatementOptions;
}

async function runRound({ laboratory, rehearsal, options }: Programme, { from, jobs }: { from: number; jobs: number }) {
  const premises = await createPremises(options.premises);
  try {
    const record = createRunRecord(from);
    const settings = { ...premises.settings, life: "only", leaseMs };
    const node = await startNode(laboratory.main, settings, record.listen);
    node.send({ do: "fail", plan: { chance: options.chance, seed: options.seed + from } });
    await startInBatches(node, record, jobs);
    await pause(unrestMs);
    node.send({ do: "fail" });
    node.send({ do: "settle", withinMs: longestRestMs });
    await node.next("settled");
    node.send({ do: "count" });
    const { failed } = await node.next("counted");
    await node.stop();
    const rules = { mayRepeatInOneLife: true, mayBeLate: false };
    const report = await checkPremises(premises, record, rehearsal.expected, rules);
    return { report, failed, refused: record.refused };
  } finally {
    await premises.remove();
  }
}

async function startInBatches(node: NodeProcess, record: RunRecord, jobs: number): Promise<void> {
  while (record.asked.size < jobs) {
    node.send({ do: "start", jobs: record.nextJobs(Math.min(jobsPerBatch, jobs - record.asked.size)) });
    await pause(betweenBatchesMs);
  }
}
