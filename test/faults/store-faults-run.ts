import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { checkRun, expectedOutcomes, type CheckReport, type ExpectedOutcomes } from "./checker.ts";
import {
  importShapes,
  openJobs,
  RefusedError,
  startNextJob,
  startShape,
  workManualTasks,
  type HttpClient,
} from "./http-run.ts";
import { workOfJobs } from "./later-work.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";
import { shapes } from "./shapes.ts";
import { createFaultSwitch, type FaultKind, type FaultSwitch, type IsFaulty } from "./store-faults-plans.ts";

/** A platform whose store fails on demand and whose time is the test's, with the outcome of every shape without faults. */
export interface FaultBench {
  clock: ManualClock;
  control: FaultSwitch;
  server: TestPlatform;
  client: HttpClient;
  record: RunRecord;
  expected: ExpectedOutcomes;
  /** Starts of earlier runs that were refused and did happen. */
  refusedButThere: number;
}

/** What a run with faults came to. */
export interface FaultReport {
  /** Starts of this run that were answered well, and with 503. */
  acknowledged: number;
  refused: number;
  /** Of the latter: those in which not the event before the start was refused, but the start. */
  refusedStarts: number;
  /** Of these: those that did happen. */
  refusedButThere: number;
  injected: number;
  /** Answers with another status than the documented ones. */
  strange: string[];
  /** All jobs of the bench, those of earlier runs included. */
  checked: CheckReport;
}

/** Opens a bench and runs every shape once without faults. */
export async function openFaultBench(): Promise<FaultBench> {
  const clock = createManualClock();
  const control = createFaultSwitch();
  const server = await startTestPlatform({ clock, storeFaults: control.faults, storeThread: "inline" });
  const bench = { clock, control, server, client: clientOf(server), record: createRunRecord() };
  await importShapes(bench.client, clock.now());
  for (const shape of shapes) await startShape(bench.client, bench.record, shape);
  await runToRest(bench);
  return { ...bench, expected: await expectedOutcomes(server.platform.store), refusedButThere: 0 };
}

function clientOf({ request }: TestPlatform): HttpClient {
  return {
    async send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      const reply = await request<Answer>(method, path, body);
      if (reply.status < 400) return reply.body;
      throw new RefusedError(reply.status, `${method} ${path} ${reply.status}: ${JSON.stringify(reply.body)}`);
    },
  };
}

const jobsPerRun = 30;
const stepMs = 250;
// Faults last longer than the lease, so that work is taken over while they do.
const faultySteps = 20;

/** Starts a third of the jobs, lets commits fail while the rest is started and all run, and looks at how they end. */
export async function runWithFaults(bench: FaultBench, kind: FaultKind, isFaulty: IsFaulty): Promise<FaultReport> {
  const { control, server, clock, client, record, expected } = bench;
  const injectedBefore = control.injected;
  const acknowledgedBefore = record.acknowledged.size;
  const answers: Answers = { refused: 0, refusedStarts: 0, strange: [] };
  const early = Math.floor(jobsPerRun / 3);
  for (let job = 0; job < early; job++) await noting(answers, () => startNextJob(client, record));
  control.plan = { kind, isFaulty };
  for (let job = early; job < jobsPerRun; job++) {
    await noting(answers, () => startNextJob(client, record));
    if (job % 5 === 0) await clock.advance(stepMs);
  }
  const { refused, refusedStarts } = answers;
  for (let step = 0; step < faultySteps; step++) {
    await noting(answers, () => workManualTasks(client, record));
    await clock.advance(stepMs);
  }
  control.plan = undefined;
  await runToRest(bench);
  const checked = await checkRun({ store: server.platform.store, expected, ...record });
  const refusedButThere = checked.unansweredButThere - bench.refusedButThere;
  bench.refusedButThere = checked.unansweredButThere;
  return {
    acknowledged: record.acknowledged.size - acknowledgedBefore,
    refused,
    refusedStarts,
    refusedButThere,
    injected: control.injected - injectedBefore,
    strange: answers.strange,
    checked,
  };
}

interface Answers {
  refused: number;
  refusedStarts: number;
  strange: string[];
}

/** 503 is what faults of the store look like from outside; nothing else is. */
async function noting(answers: Answers, request: () => Promise<void>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (!(error instanceof RefusedError && error.status === 503)) answers.strange.push(String(error));
    else {
      answers.refused += 1;
      if (error.message.includes("/jobs/start ")) answers.refusedStarts += 1;
    }
  }
}

// Far more than any shape needs, back-off of failed work included; a job that is not done by then is stuck.
const mostRestSteps = 400;

/** Lets time pass and works manual tasks until no job is under way. */
async function runToRest({
  clock,
  server,
  client,
  record,
}: Pick<FaultBench, "clock" | "server" | "client" | "record">): Promise<void> {
  for (let step = 0; step < mostRestSteps; step++) {
    await passUntilIdle({ clock, server });
    await workManualTasks(client, record);
    if ((await openJobs(client)) === 0 && (await workOfJobs(server.platform.store, 1)).length === 0) return;
    await clock.advance(stepMs);
  }
}

/** A result that could not be written waits for its next try, so time passes until nothing is under way. */
async function passUntilIdle({ clock, server }: Pick<FaultBench, "clock" | "server">): Promise<void> {
  const idle = server.platform.queue.idle().then(() => true);
  const step = () => clock.advance(stepMs).then(() => false);
  for (let isIdle = false; !isIdle;) isIdle = await Promise.race([idle, step()]);
}
