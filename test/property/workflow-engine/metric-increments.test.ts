import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/workflow-engine/interpreter/changes.ts";
import type { JobState } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { createMetricIncrements } from "../../../src/workflow-engine/jobs/metric-increments.ts";
import { MetricSums } from "../../../src/workflow-engine/jobs/metric-sums.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const runs = Number(process.env["PROPERTY_RUNS"] ?? 300);
const call = { app: "Outside", location: "Adapter", name: "look" };
const retried = { ...call, retrySettings: { state: ["error"], autoRetry: true, limit: 2, delay: 10 } };
const workflow = {
  ...workflowOf(
    "measured",
    { a1: retried, b1: { type: "manual" }, b2: {}, c1: call, d1: { name: "delay", incoming: { time: 3 } }, e1: {} },
    [
      ..."start > a1, start > b1, a1 > c1, b1 > b2, b2 > c1, start > d1, d1 > e1, e1 > end, c1 > end".split(", "),
      ..."b1 >failure~ b1, c1 >failure~ a1, c1 >error> end".split(", "),
    ],
  ),
  sla: 12_000,
};

const act = fc.record({
  task: fc.nat(5),
  state: fc.constantFrom("success" as const, "success" as const, "failure" as const, "error" as const),
  command: fc.constantFrom("none", "none", "none", "none", "pause", "resume", "cancel"),
  ms: fc.nat(4_000),
});
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

/** What has happened to a job, step by step. */
interface Step {
  before: JobState | undefined;
  state: JobState;
}

function play(acts: readonly Act[]): { job: SimulatedJob; steps: Step[] } {
  const job = new SimulatedJob(workflow);
  const steps: Step[] = [{ before: undefined, state: job.state }];
  for (const given of acts) {
    const before = job.state;
    job.at += given.ms;
    if (!isDone(job, given) && job.state !== before && job.deltas.length > steps.length)
      steps.push({ before, state: job.state });
  }
  return { job, steps };
}

/** True when the job forbids it. */
function isDone(job: SimulatedJob, { task, state, command }: Act): boolean {
  try {
    if (command !== "none") job.send({ event: command, by: tester });
    else answer(job, task, state);
    return false;
  } catch {
    return true;
  }
}

function answer(job: SimulatedJob, index: number, state: "success" | "failure" | "error"): void {
  const open = [...job.state.tasks].filter(([, task]) => task.status === "running" && task.wait);
  const [taskId, task] = open[index % Math.max(1, open.length)] ?? [];
  if (taskId === undefined) return;
  if (task?.wait?.for === "timer") job.ring(taskId);
  else if (task?.wait?.for === "person") job.finish(taskId, state === "error" ? "failure" : state);
  else job.answer(taskId, state);
}

/** What the whole log of a job says, read from its end to its beginning. */
function counted(job: SimulatedJob): Record<string, number> {
  const sums: Record<string, number> = {};
  const count = (name: string, by: number) => (sums[name] = (sums[name] ?? 0) + by);
  const changes: Change[] = job.deltas.flatMap((delta) => delta.changes);
  changes.forEach((change, index) => {
    if (change.change === "finished" && !change.task.startsWith("workflow_")) {
      const start = changes
        .slice(0, index)
        .findLast((other) => other.change === "started" && other.task === change.task);
      const runTime = change.at - (start?.change === "started" ? start.at : Number.NaN);
      count(`${change.task} ${change.state}`, 1);
      count(`${change.task} time`, runTime);
      if (change.task === "b1") count("manual", runTime);
    }
  });
  const { status, startedAt, endedAt } = job.state;
  if (status === "complete") count("complete", 1);
  if (status === "complete") count("time", endedAt! - startedAt);
  if (endedAt !== undefined && endedAt - startedAt > workflow.sla) count("missed", 1);
  return nonZero(sums);
}

const names: Readonly<Record<string, string>> = {
  jobsComplete: "complete",
  totalRunTime: "time",
  slaTargetsMissed: "missed",
  totalManualTime: "manual",
  totalSuccesses: "success",
  totalFailures: "failure",
  totalErrors: "error",
};

/** The same from what the steps added. */
function added(job: SimulatedJob, steps: readonly Step[]): Record<string, number> {
  const increments = createMetricIncrements("0");
  const sums = new MetricSums();
  steps.forEach((step, index) => {
    const writes = increments({ ...step, delta: job.deltas[index]!, workflow: job.context.workflow });
    for (const { collection, document } of writes) sums.add(collection, document);
  });
  const flat: Record<string, number> = {};
  for (const { figures } of sums.entries.values()) {
    for (const [name, value] of Object.entries(figures)) Object.assign(flat, named(name, value));
  }
  return nonZero(flat);
}

/** A figure of jobs under its name here, or those of a task. */
function named(name: string, value: unknown): Record<string, number> {
  if (typeof value === "number") return { [names[name]!]: value };
  const [taskId] = JSON.parse(name) as string[];
  const figures = Object.entries(value as Record<string, number>);
  return Object.fromEntries(figures.map(([member, sum]) => [`${taskId} ${names[member]}`, sum]));
}

function nonZero(sums: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

describe("what the steps of a job add to figures", () => {
  it("comes to what its log says", () => {
    const statuses = new Set<string>();
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25 }), (acts) => {
        const { job, steps } = play(acts);
        expect(steps).toHaveLength(job.deltas.length);
        expect(added(job, steps)).toEqual(counted(job));
        statuses.add(job.state.status);
      }),
      { numRuns: runs },
    );
    expect(statuses).toContain("complete");
  });
});
