import type { Store } from "../../src/store/store.ts";
import { readCommitTimes } from "../support/commit-times.ts";
import type { TestPlatform } from "../support/platform.ts";
import { driveToEnd } from "./drive-jobs.ts";
import { createKnownJobs } from "./known-jobs.ts";
import { findOrphans } from "./orphans.ts";
import { auditRace, openWork, type RaceAudit, type RacedStore } from "./race-audit.ts";
import { raceAll } from "./race-clients.ts";
import { startRaceNodes, type RaceNodes } from "./race-nodes.ts";
import { createRaceRecord } from "./race-record.ts";

export interface RaceOptions {
  /** Requests of all clients together. */
  operations: number;
  clients: number;
  /** More than one only on PostgreSQL. */
  nodes: number;
  seed: number;
  say?(line: string): void;
}

/** What a race came to. `problems` are replies that may not be so. */
export interface RaceReport {
  operations: number;
  /** Of these: answered as done, refused, and 503. */
  accepted: number;
  refused: number;
  unavailable: number;
  replies: Record<string, Record<number, number>>;
  rounds: number;
  seconds: number;
  audit: RaceAudit;
  problemCount: number;
  problems: string[];
}

/** Lets clients loose on the jobs of a platform, on the store that `STORE` names, and judges what came of it. */
export async function runRace({
  operations,
  clients,
  nodes,
  seed,
  say = () => undefined,
}: RaceOptions): Promise<RaceReport> {
  const raced = await startRaceNodes(nodes, clients);
  try {
    const record = createRaceRecord();
    let number = 0;
    const nextNumber = (): number => number++;
    const race = {
      nodes: raced,
      known: createKnownJobs(),
      record,
      seed,
      operations,
      nextNumber,
      progress: progressOf(operations, say),
    };
    const startedAt = performance.now();
    await raceAll(race);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const { requests, unavailable } = record;
    const replies = structuredClone(record.replies);
    say(`${requests} operations in ${seconds} s`);
    for (const orphan of await findOrphans(storeOf(raced))) record.complain(`orphan: ${orphan}`);
    const rounds = await driveToEnd(race);
    await comeToRest(raced);
    say("auditing");
    const audit = await auditRace(await racedStore(raced), record, peopleOf(raced));
    return {
      operations: requests,
      ...countReplies(replies),
      unavailable,
      replies,
      rounds,
      seconds,
      audit,
      problemCount: record.problemCount,
      problems: record.problems,
    };
  } finally {
    await raced.stop();
  }
}

const linesPerRace = 10;

/** Says now and then how far a race is. */
function progressOf(operations: number, say: (line: string) => void): (requests: number) => void {
  let next = 0;
  return (requests) => {
    if (requests < next) return;
    say(`${requests} operations`);
    next += operations / linesPerRace;
  };
}

/** How much is wrong. */
export function wrongsOf({ audit, problemCount, unavailable }: RaceReport): number {
  return Object.values(audit.faults).reduce((sum, count) => sum + count, problemCount + unavailable);
}

function firstOf({ nodes }: RaceNodes): TestPlatform {
  const [first] = nodes;
  if (!first) throw new Error("there is no node");
  return first;
}

function storeOf(raced: RaceNodes): Store {
  return firstOf(raced).platform.store;
}

async function racedStore(raced: RaceNodes): Promise<RacedStore> {
  const { databaseUrl } = firstOf(raced);
  return { store: storeOf(raced), commitTimes: databaseUrl ? await readCommitTimes(databaseUrl) : undefined };
}

function peopleOf({ clients }: RaceNodes) {
  return {
    usernames: new Set(clients.map(({ username }) => username)),
    administrators: new Set(clients.filter(({ isAdmin }) => isAdmin).map(({ username }) => username)),
  };
}

const longestRestMs = 30_000;

/** Waits until no work is left; what is left after that the audit tells. */
async function comeToRest(raced: RaceNodes): Promise<void> {
  const until = performance.now() + longestRestMs;
  while (performance.now() < until && (await openWork(storeOf(raced))).length > 0)
    await new Promise((resolve) => void setTimeout(resolve, 100));
}

function countReplies(replies: RaceReport["replies"]): { accepted: number; refused: number } {
  const counts = { accepted: 0, refused: 0 };
  for (const byStatus of Object.values(replies))
    for (const [status, count] of Object.entries(byStatus))
      if (Number(status) < 300) counts.accepted += count;
      else if (Number(status) < 500) counts.refused += count;
  return counts;
}
