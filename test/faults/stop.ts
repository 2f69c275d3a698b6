import { setTimeout as pause } from "node:timers/promises";
import { startNode, type NodeProcess } from "../simulation/node-process.ts";
import { randomNumbers } from "../simulation/statement-faults.ts";
import type { CheckReport } from "./checker.ts";
import { checkPremises, leaseMs, type Laboratory } from "./laboratory.ts";
import { createPremises, type Premises } from "./premises.ts";
import { sumReports } from "./reports.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";

export interface StopOptions {
  stops: number;
  /** Jobs that are started for each stop. */
  jobsPerStop: number;
  seed: number;
  say?: (line: string) => void;
}

export interface StopReport extends CheckReport {
  stops: number;
  /** Shortest and longest time that a node stood still, milliseconds; its lease is the first of the figures. */
  stillMs: { lease: number; shortest: number; longest: number };
  seconds: number;
}

const stopsPerRound = 25;
const longestRestMs = 60_000;
/** A node stands still for one to four leases. */
const leasesStill = { least: 1, most: 4 };

/**
 * Two nodes on one PostgreSQL. One is stopped (SIGSTOP) for longer than its leases, so that the other
 * takes its work over, and goes on (SIGCONT) as if nothing had happened.
 */
export async function stop(laboratory: Laboratory, options: StopOptions): Promise<StopReport> {
  const startedAt = performance.now();
  const where = await laboratory.premisesOf("postgres");
  const { expected } = await laboratory.rehearse(where);
  const random = randomNumbers(options.seed);
  const stillMs = { lease: leaseMs, shortest: Number.POSITIVE_INFINITY, longest: 0 };
  const reports: CheckReport[] = [];
  for (let stopped = 0; stopped < options.stops; stopped += stopsPerRound) {
    const premises = await createPremises(where);
    try {
      const record = createRunRecord(stopped * options.jobsPerStop);
      const nodes = await startNodes(laboratory, premises, record);
      const stops = Math.min(stopsPerRound, options.stops - stopped);
      for (let turn = 0; turn < stops; turn++) {
        const ms = leaseMs * (leasesStill.least + random() * (leasesStill.most - leasesStill.least));
        stillMs.shortest = Math.min(stillMs.shortest, Math.round(ms));
        stillMs.longest = Math.max(stillMs.longest, Math.round(ms));
        await stopOnce(nodes, { record, jobs: options.jobsPerStop, victim: turn % nodes.length, ms, random });
      }
      reports.push(await endRound(nodes, { premises, record, expected }));
    } finally {
      await premises.remove();
    }
    for (const example of reports.at(-1)?.examples ?? []) options.say?.(example);
    options.say?.(`${stopped + stopsPerRound} stops`);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { ...sumReports(reports), stops: options.stops, stillMs, seconds };
}

function startNodes(laboratory: Laboratory, premises: Premises, record: RunRecord): Promise<NodeProcess[]> {
  const lives = ["left", "right"];
  return Promise.all(
    lives.map((life) => startNode(laboratory.main, { ...premises.settings, life, leaseMs }, record.listen)),
  );
}

interface OneStop {
  record: RunRecord;
  jobs: number;
  victim: number;
  ms: number;
  random: () => number;
}

/** Both nodes get jobs; one of them stops in the middle of them. */
async function stopOnce(nodes: readonly NodeProcess[], { record, jobs, victim, ms, random }: OneStop): Promise<void> {
  for (const node of nodes) node.send({ do: "start", jobs: record.nextJobs(Math.ceil(jobs / nodes.length)) });
  await pause(random() * 150);
  nodes[victim]?.signal("SIGSTOP");
  await pause(ms);
  nodes[victim]?.signal("SIGCONT");
  await pause(random() * 100);
}

interface Round {
  premises: Premises;
  record: RunRecord;
  expected: Parameters<typeof checkPremises>[2];
}

async function endRound(nodes: readonly NodeProcess[], { premises, record, expected }: Round): Promise<CheckReport> {
  for (const node of nodes) node.send({ do: "settle", withinMs: longestRestMs });
  await Promise.all(nodes.map((node) => node.next("settled")));
  await Promise.all(nodes.map((node) => node.stop()));
  // A node that is stopped between looking at a job and its effect makes the effect when it goes on.
  return checkPremises(premises, record, expected, { mayRepeatInOneLife: true, mayBeLate: true });
}
