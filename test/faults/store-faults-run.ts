import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { faultOf, outcomeOf, type FinishedJob, type JobOutcome } from "./job-outcome.ts";
import { childWorkflow, shapes } from "./shapes.ts";
import { createFaultSwitch, type FaultSwitch, type IsFaulty, type FaultKind } from "./store-faults-plans.ts";

/** A platform whose store fails on demand and whose time is the test's, with the outcome of every shape without faults. */
export interface FaultBench {
  clock: ManualClock;
  control: FaultSwitch;
  server: TestPlatform;
  expected: readonly JobOutcome[];
}

/** What a run with faults came to. The lists are to be empty. */
export interface FaultReport {
  acknowledged: number;
  /** Starts that were answered 503. */
  refused: number;
  /** Jobs of the run that the store has, children apart. */
  stored: number;
  injected: number;
  /** Answers with another status than the documented ones. */
  strange: string[];
  /** Acknowledged jobs that the store does not have. */
  lost: string[];
  /** Jobs, also those that nobody was told of, that did not end as without faults. */
  wrong: string[];
}

/** Opens a bench and runs every shape once without faults. */
export async function openFaultBench(): Promise<FaultBench> {
  const clock = createManualClock();
  const control = createFaultSwitch();
  const server = await startTestPlatform({ clock, storeFaults: control.faults, storeThread: "inline" });
  for (const workflow of [childWorkflow, ...shapes.map((shape) => shape.workflow)])
    await server.importWorkflow(workflow);
  const bench = { clock, control, server, expected: [] };
  const jobs = new Map<string, number>();
  for (const shape of shapes.keys()) jobs.set(await startOne(server, shape, "without faults"), shape);
  await runToRest(bench);
  const expected: JobOutcome[] = [];
  for (const [jobId] of jobs) expected.push(outcomeOf(await readJob(server, jobId)));
  return { ...bench, expected };
}

const jobsPerRun = 30;
const stepMs = 250;
// Faults last longer than the lease, so that work is taken over while they do.
const faultySteps = 20;

/** Starts a third of the jobs, lets commits fail while the rest is started and all run, and looks at how they end. */
export async function runWithFaults(bench: FaultBench, kind: FaultKind, isFaulty: IsFaulty): Promise<FaultReport> {
  const { control, server, clock } = bench;
  const known = new Set((await listJobs(server)).map(({ _id }) => _id));
  const injectedBefore = control.injected;
  const run: StartedJobs = { acknowledged: [], refused: 0, strange: [] };
  const early = Math.floor(jobsPerRun / 3);
  for (let job = 0; job < early; job++) await startUnderFaults(server, job, run);
  control.plan = { kind, isFaulty };
  for (let job = early; job < jobsPerRun; job++) {
    await startUnderFaults(server, job, run);
    if (job % 5 === 0) await clock.advance(stepMs);
  }
  for (let step = 0; step < faultySteps; step++) {
    run.strange.push(...(await workManualTasks(server)));
    await clock.advance(stepMs);
  }
  control.plan = undefined;
  await runToRest(bench);
  const stored = (await listJobs(server)).filter(({ _id }) => !known.has(_id));
  return {
    acknowledged: run.acknowledged.length,
    refused: run.refused,
    stored: stored.filter(({ name }) => name !== childWorkflow.name).length,
    injected: control.injected - injectedBefore,
    strange: run.strange,
    lost: run.acknowledged.filter((jobId) => !stored.some(({ _id }) => _id === jobId)),
    wrong: [...(await wrongJobs(bench, stored)), ...wrongChildren(stored)],
  };
}

interface StartedJobs {
  acknowledged: string[];
  refused: number;
  strange: string[];
}

async function startUnderFaults(server: TestPlatform, job: number, run: StartedJobs): Promise<void> {
  const { status, body } = await requestStart(server, job % shapes.length, `job ${job}`);
  if (status === 200) run.acknowledged.push(body.data._id);
  else if (status === 503) run.refused += 1;
  else run.strange.push(`start of job ${job}: ${status} ${JSON.stringify(body)}`);
}

// Far more than any shape needs, back-off of failed work included; a job that is not done by then is stuck.
const mostRestSteps = 400;

/** Lets time pass and works manual tasks until no job is under way. */
async function runToRest(bench: Omit<FaultBench, "expected">): Promise<void> {
  const { clock, server } = bench;
  for (let step = 0; step < mostRestSteps; step++) {
    await server.platform.queue.idle();
    await workManualTasks(server);
    if (!(await isAnyUnderWay(server))) return;
    await clock.advance(stepMs);
  }
}

async function wrongJobs({ server, expected }: FaultBench, jobs: readonly JobHeader[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { _id, name } of jobs) {
    const wanted = expected[shapes.findIndex(({ workflow }) => workflow.name === name)];
    if (!wanted) continue;
    const job = await readJob(server, _id);
    const fault = faultOf(outcomeOf(job), wanted);
    if (fault) wrong.push(`${name} ${job.description}: ${fault} ${JSON.stringify(outcomeOf(job))}`);
  }
  return wrong;
}

const childrenPerParent = 6;

/** The outcome of a parent does not tell of a child that was started twice or runs on. */
function wrongChildren(jobs: readonly JobHeader[]): string[] {
  const children = jobs.filter(({ name }) => name === childWorkflow.name);
  const parents = jobs.filter(({ name }) => name === "fault child loop");
  const wrong = children.flatMap(({ _id, status }) => (status === "complete" ? [] : [`child ${_id} is ${status}`]));
  const wanted = parents.length * childrenPerParent;
  return children.length === wanted ? wrong : [...wrong, `${children.length} child jobs instead of ${wanted}`];
}

async function readJob(server: TestPlatform, jobId: string): Promise<FinishedJob> {
  return (await server.send<{ data: FinishedJob }>("GET", `/operations-manager/jobs/${jobId}`)).data;
}

interface JobHeader {
  _id: string;
  name: string;
  status: string;
}

async function listJobs(server: TestPlatform): Promise<JobHeader[]> {
  return (await server.send<{ data: JobHeader[] }>("GET", "/operations-manager/jobs?limit=1000")).data;
}

async function isAnyUnderWay(server: TestPlatform): Promise<boolean> {
  return (await listJobs(server)).some(({ status }) => status !== "complete" && status !== "canceled");
}

function requestStart(server: TestPlatform, shape: number, description: string) {
  const { workflow, variables } = shapes[shape] ?? shapes[0]!;
  const body = { workflow: workflow.name, options: { description, variables } };
  return server.request<{ data: { _id: string } }>("POST", "/operations-manager/jobs/start", body);
}

async function startOne(server: TestPlatform, shape: number, description: string): Promise<string> {
  const { status, body } = await requestStart(server, shape, description);
  if (status !== 200) throw new Error(`a start without faults failed: ${status} ${JSON.stringify(body)}`);
  return body.data._id;
}

interface ManualTask {
  taskId: string;
  job: { _id: string };
}

/** Finishes every open manual task. Returns answers that are neither done, nor unavailable, nor done already. */
async function workManualTasks(server: TestPlatform): Promise<string[]> {
  const { data } = await server.send<{ data: ManualTask[] }>("GET", "/operations-manager/tasks?equals[type]=manual");
  const strange: string[] = [];
  for (const { taskId, job } of data) {
    const path = `/operations-manager/jobs/${job._id}/tasks/${taskId}/finish`;
    const { status, body } = await server.request("POST", path, {
      taskData: { finish_state: "success", variables: {} },
    });
    if (![200, 409, 503].includes(status)) strange.push(`POST ${path}: ${status} ${JSON.stringify(body)}`);
  }
  return strange;
}
