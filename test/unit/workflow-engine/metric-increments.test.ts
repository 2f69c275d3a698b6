import { describe, expect, it } from "vitest";
import type { JobState } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { taskKey } from "../../../src/workflow-engine/jobs/metric-documents.ts";
import { createMetricIncrements, type MetricWrite } from "../../../src/workflow-engine/jobs/metric-increments.ts";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const day = "1970-01-01";
const manual = { type: "manual", name: "ViewData" };
const call = { app: "Outside", location: "Adapter", name: "look" };
const key = (taskId: string, app = "WorkFlowEngine", name = "stub", taskType = "automatic") =>
  taskKey({ taskId, app, name, taskType });
const manualKey = (taskId: string) => key(taskId, "WorkFlowEngine", "ViewData", "manual");
const callKey = (taskId: string) => key(taskId, "Outside", "look");

/** What the last delta of a job adds. */
function last(job: SimulatedJob, before: JobState | undefined, slot = "0"): MetricWrite[] {
  const { state, deltas, context } = job;
  return createMetricIncrements(slot)({ before, state, delta: deltas.at(-1)!, workflow: context.workflow });
}

/** What a step of a job adds. */
function added(job: SimulatedJob, step: (job: SimulatedJob) => unknown): MetricWrite[] {
  const before = job.state;
  step(job);
  return last(job, before);
}

const jobs = (figures: object): MetricWrite => ({
  kind: "add",
  collection: "job_metrics",
  document: { _id: `${day}|0|w`, workflow: { _id: "w", name: "measured" }, day, ...figures },
});
const tasks = (figures: Record<string, object>): MetricWrite => ({
  kind: "add",
  collection: "task_metrics",
  document: { _id: `${day}|0|0|w`, workflow: { _id: "w", name: "measured" }, day, tasks: figures },
});

describe("what a job adds to figures", () => {
  it("is one success for each task and one complete job, all in one activation", () => {
    const job = new SimulatedJob(workflowOf("measured", { a1: {}, b2: {} }, ["start > a1", "a1 > b2", "b2 > end"]));
    expect(last(job, undefined)).toEqual([
      jobs({ jobsComplete: 1, totalRunTime: 0 }),
      tasks({ [key("a1")]: { totalSuccesses: 1 }, [key("b2")]: { totalSuccesses: 1 } }),
    ]);
  });

  it("is nothing while nothing finishes", () => {
    const job = new SimulatedJob(workflowOf("measured", { a1: call }, ["start > a1", "a1 > end"]));
    expect(last(job, undefined)).toEqual([]);
    expect(added(job, () => job.send({ event: "pause", by: { accountId: "x", username: "x" } }))).toEqual([]);
  });

  it("has the run time of a call, and of the job once it is complete", () => {
    const job = new SimulatedJob(workflowOf("measured", { a1: call, b2: call }, ["start > a1", "a1 > b2", "b2 > end"]));
    job.at += 499;
    expect(added(job, () => job.answer("a1"))).toEqual([
      tasks({ [callKey("a1")]: { totalSuccesses: 1, totalRunTime: 1_499 } }),
    ]);
    expect(added(job, () => job.answer("b2"))).toEqual([
      jobs({ jobsComplete: 1, totalRunTime: 2_499 }),
      tasks({ [callKey("b2")]: { totalSuccesses: 1, totalRunTime: 1_000 } }),
    ]);
  });

  it("counts failures and errors as such, and a job in error not at all", () => {
    const job = new SimulatedJob(
      workflowOf("measured", { a1: call, b2: call }, ["start > a1", "a1 >failure> b2", "b2 > end"]),
    );
    expect(added(job, () => job.answer("a1", "failure"))).toEqual([
      tasks({ [callKey("a1")]: { totalFailures: 1, totalRunTime: 1_000 } }),
    ]);
    expect(added(job, () => job.answer("b2", "error", {}, "x"))).toEqual([
      tasks({ [callKey("b2")]: { totalErrors: 1, totalRunTime: 1_000 } }),
    ]);
    expect(job.state.status).toBe("error");
  });

  it("counts every attempt of a task that is run again, from its own start", () => {
    const retrySettings = { state: ["error"], autoRetry: true, limit: 1, delay: 5 };
    const job = new SimulatedJob(
      workflowOf("measured", { a1: { ...call, retrySettings } }, ["start > a1", "a1 > end"]),
    );
    expect(added(job, () => job.answer("a1", "error", {}, "x"))).toEqual([
      tasks({ [callKey("a1")]: { totalErrors: 1, totalRunTime: 1_000 } }),
    ]);
    expect(added(job, () => job.ring("a1"))).toEqual([]);
    expect(added(job, () => job.answer("a1"))).toEqual([
      jobs({ jobsComplete: 1, totalRunTime: 3_000 }),
      tasks({ [callKey("a1")]: { totalSuccesses: 1, totalRunTime: 1_000 } }),
    ]);
  });

  it("counts the time of manual tasks as manual time as well", () => {
    const job = new SimulatedJob(
      workflowOf("measured", { a1: manual, b2: manual }, ["start > a1", "start > b2", "a1 > end", "b2 > end"]),
    );
    expect(added(job, () => job.finish("a1"))).toEqual([
      jobs({ totalManualTime: 1_000 }),
      tasks({ [manualKey("a1")]: { totalSuccesses: 1, totalRunTime: 1_000 } }),
    ]);
    expect(added(job, () => job.finish("b2"))).toEqual([
      jobs({ totalManualTime: 2_000, jobsComplete: 1, totalRunTime: 2_000 }),
      tasks({ [manualKey("b2")]: { totalSuccesses: 1, totalRunTime: 2_000 } }),
    ]);
  });

  it.each([
    [999, true],
    [1_000, false],
    [0, false],
  ])("counts a job against an SLA of %d ms", (sla, isMissed) => {
    const workflow = { ...workflowOf("measured", { a1: call }, ["start > a1", "a1 > end"]), sla };
    const job = new SimulatedJob(workflow);
    const [first] = added(job, () => job.answer("a1"));
    expect(first).toEqual(jobs({ jobsComplete: 1, totalRunTime: 1_000, ...(isMissed ? { slaTargetsMissed: 1 } : {}) }));
  });

  it("counts a canceled job against its SLA only", () => {
    const workflow = { ...workflowOf("measured", { a1: call }, ["start > a1", "a1 > end"]), sla: 10 };
    const job = new SimulatedJob(workflow);
    const by = { accountId: "x", username: "x" };
    expect(added(job, () => job.send({ event: "cancel", by }))).toEqual([jobs({ slaTargetsMissed: 1 })]);
  });

  it("goes to the day on which it happens", () => {
    const job = new SimulatedJob(workflowOf("measured", { a1: call }, ["start > a1", "a1 > end"]));
    job.at = Date.UTC(2026, 10, 21) - 1_000;
    const days = added(job, () => job.answer("a1")).map(({ document }) => [document._id.slice(0, 10), document.day]);
    expect(days).toEqual([
      ["2026-11-21", "2026-11-21"],
      ["2026-11-21", "2026-11-21"],
    ]);
  });

  it("keeps documents small where a workflow has many tasks", () => {
    const ids = Array.from({ length: 640 }, (_, index) => index.toString(16));
    const job = new SimulatedJob(
      workflowOf(
        "measured",
        Object.fromEntries(ids.map((id) => [id, {}])),
        ids.map((id, index) => `${index === 0 ? "start" : ids[index - 1]} > ${id}`),
      ),
    );
    const documents = last(job, undefined, "f").map(({ document }) => document);
    const sizes = documents.flatMap((document) => ("tasks" in document ? [Object.keys(document.tasks).length] : []));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(640);
    expect(Math.max(...sizes)).toBeLessThan(100);
    expect(new Set(documents.map(({ _id }) => _id)).size).toBe(documents.length);
    expect(documents.every(({ _id }) => _id.startsWith(`${day}|f|`))).toBe(true);
  });

  it("holds no characters that stores cannot take apart", () => {
    const name = "\u{D800}look\0";
    const job = new SimulatedJob(workflowOf("measured", { a1: { name, app: "a\0" } }, ["start > a1", "a1 > end"]), {
      mocks: { a1: {} },
    });
    expect(last(job, undefined)[1]).toEqual(
      tasks({ [key("a1", "a\u{FFFD}", "\u{FFFD}look\u{FFFD}")]: { totalSuccesses: 1 } }),
    );
  });
});
