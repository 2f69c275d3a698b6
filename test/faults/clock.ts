import { setTimeout as pause } from "node:timers/promises";
import type { AskedJob, NodeMessage } from "../simulation/node-messages.ts";
import { startNode } from "../simulation/node-process.ts";
import { randomNumbers } from "../simulation/statement-faults.ts";
import { checkPremises, leaseMs, type Laboratory } from "./laboratory.ts";
import type { CheckReport, ExpectedOutcomes } from "./checker.ts";
import { createPremises, type PremisesOptions, type StoreKind } from "./premises.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";
import { timerShape } from "./shapes.ts";

export interface ClockOptions {
  premises: PremisesOptions;
  timers: number;
  jumps: number;
  seed: number;
  say?: (line: string) => void;
}

export interface ClockReport extends CheckReport {
  store: StoreKind;
  timers: number;
  jumps: number;
  /** How much sooner and later than its delay a timer fired at most, milliseconds of monotonic time. */
  earliestMs: number;
  latestMs: number;
  seconds: number;
}

const hour = 3_600_000;
const day = 24 * hour;
/** The moment that does not fit into 31 bits of seconds. */
const year2038 = 2 ** 31 * 1000;
const betweenJumpsMs = 1_200;
/** The first timer is due so long after the last start. */
const firstDueMs = 3_000;
const earliestAllowedMs = 1_000;
const latestAllowedMs = 3_000;
const longestRestMs = 60_000;

/** What happens to the time of day, in turn: set by hand, summer time by a clock that counts local time, a leap second, 2038. */
function jumpsOf(now: number): number[] {
  const to2038 = year2038 - 2_000 - now;
  return [hour, -hour, day, -day, -1_000, 1_000, -hour, hour, to2038, -to2038, 2 * day, -2 * day];
}

/**
 * Sets the time of day of a node again and again while thousands of timers are pending. Each has to fire
 * once, after its own delay as a clock on the wall that nobody touches would show it.
 */
export async function clock(laboratory: Laboratory, options: ClockOptions): Promise<ClockReport> {
  const startedAt = performance.now();
  const premises = await createPremises(options.premises);
  const watch = createWatch();
  try {
    const settings = { ...premises.settings, life: "only", leaseMs };
    const node = await startNode(laboratory.main, settings, watch.listen);
    const random = randomNumbers(options.seed);
    const spanMs = firstDueMs + options.jumps * betweenJumpsMs;
    node.send({ do: "start", jobs: askTimers(watch, options.timers, () => firstDueMs + random() * spanMs) });
    const jumps = jumpsOf(Date.now());
    for (let jump = 0; jump < options.jumps; jump++) {
      await pause(betweenJumpsMs);
      node.send({ do: "jump", ms: jumps[jump % jumps.length] ?? 0 });
    }
    node.send({ do: "settle", withinMs: longestRestMs });
    await node.next("settled");
    await node.stop();
    const report = await checkPremises(premises, watch.record, expectedTimer);
    const { early, late, earliestMs, latestMs } = watch.judge();
    report.faults.different += early;
    report.faults.stuck += late;
    for (const example of report.examples) options.say?.(example);
    const figures = { store: options.premises.kind, timers: options.timers, jumps: options.jumps };
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { ...report, ...figures, earliestMs, latestMs, seconds };
  } finally {
    await premises.remove();
  }
}

const expectedTimer: ExpectedOutcomes = new Map([
  [
    timerShape.workflow.name,
    {
      workflow: timerShape.workflow.name,
      status: "complete",
      variables: { seconds: "over" },
      iterations: { workflow_start: 0, workflow_end: 0, a1: 1, a2: 1 },
      children: [],
    },
  ],
]);

interface Watch {
  record: RunRecord;
  /** Description → delay in milliseconds. */
  delays: Map<string, number>;
  listen(message: NodeMessage): void;
  /** Compares how long timers took with how long they were to take. One that never fired is late. */
  judge(): { early: number; late: number; earliestMs: number; latestMs: number };
}

function createWatch(): Watch {
  const record = createRunRecord();
  const delays = new Map<string, number>();
  const dueAt = new Map<string, number>();
  const firedAt = new Map<string, number>();
  return {
    record,
    delays,
    listen(message) {
      record.listen(message);
      if (message.is === "started") dueAt.set(message.jobId, message.steadyMs + (delays.get(message.description) ?? 0));
      if (message.is === "completed") firedAt.set(message.jobId, message.steadyMs);
    },
    judge() {
      const differences = [...dueAt].map(([jobId, due]) => (firedAt.get(jobId) ?? Number.POSITIVE_INFINITY) - due);
      return {
        early: differences.filter((ms) => ms < -earliestAllowedMs).length,
        late: differences.filter((ms) => ms > latestAllowedMs).length,
        earliestMs: Math.round(differences.reduce((least, ms) => Math.min(least, ms), 0)),
        latestMs: Math.round(differences.reduce((most, ms) => Math.max(most, ms), 0)),
      };
    },
  };
}

function askTimers({ record, delays }: Watch, count: number, delayMs: () => number): AskedJob[] {
  return Array.from({ length: count }, () => {
    const description = record.ask(timerShape.workflow.name);
    const ms = Math.round(delayMs());
    delays.set(description, ms);
    return { workflow: timerShape.workflow.name, description, variables: { seconds: ms / 1000 } };
  });
}
