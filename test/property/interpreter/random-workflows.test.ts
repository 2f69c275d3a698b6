import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replay } from "../../../src/workflow-engine/jobs/job-log.ts";
import { documentOfState, stateOfDocument, type StateDocument } from "../../../src/workflow-engine/jobs/log-format.ts";
import { createState } from "../../../src/workflow-engine/interpreter/apply-change.ts";
import type { JobState } from "../../../src/workflow-engine/interpreter/job-state.ts";
import type { WorkflowDocument } from "../../../src/workflow-engine/workflow-schema.ts";
import { randomWorkflow as scenario, type RandomResult } from "../../support/random-workflow.ts";
import { SimulatedJob } from "../../support/simulated-job.ts";

const runs = Number(process.env["PROPERTY_RUNS"] ?? 1_500);

/** Answers open tasks in a random order until the job rests or the answers are used up. */
function play(workflow: WorkflowDocument, results: readonly RandomResult[], order: readonly number[]): SimulatedJob {
  const job = new SimulatedJob(workflow);
  results.forEach((finishState, step) => {
    const open = [...job.state.tasks].filter(([, task]) => task.status === "running" && task.wait);
    const [taskId, task] = open[(order[step] ?? 0) % Math.max(1, open.length)] ?? [];
    if (job.state.status !== "running" || taskId === undefined || task?.wait === undefined) return;
    if (task.wait.for === "person") job.finish(taskId, finishState === "error" ? "failure" : finishState);
    else job.answer(taskId, finishState, {}, finishState === "error" ? "err" : undefined);
  });
  return job;
}

function plain(state: JobState): StateDocument {
  return asStored(documentOfState(state));
}

function asStored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

describe("random workflows", () => {
  it("always rest: waiting for something, ended, or in error with a reason", () => {
    fc.assert(
      fc.property(scenario, ({ workflow, results, order }) => {
        const { state } = play(workflow, results, order);
        const isWaiting = [...state.tasks.values()].some((task) => task.status === "running" && task.wait);
        if (state.status === "running") expect(isWaiting || state.ready.size > 0).toBe(true);
        if (state.status === "error") expect(state.errors.length).toBeGreaterThan(0);
        for (const task of state.tasks.values()) expect(task.pending).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: runs },
    );
  });

  it("are rebuilt from their log exactly, with or without snapshots", () => {
    fc.assert(
      fc.property(scenario, fc.nat(20), ({ workflow, results, order }, cut) => {
        const job = play(workflow, results, order);
        const rows = job.deltas.map((delta, index) => ({ seq: index + 1, at: 1, delta: asStored(delta) }));
        const empty = createState(job.origin, 1_000_000, job.context.workflow);
        const half = replay(empty, rows.slice(0, cut), job.context.workflow);
        const whole = replay(stateOfDocument(plain(half)), rows.slice(cut), job.context.workflow);
        expect(plain({ ...whole, changedAt: 0 })).toEqual(plain({ ...job.state, changedAt: 0 }));
      }),
      { numRuns: runs },
    );
  });

  it("run no task twice in one pass: each iteration is started and finished once", () => {
    fc.assert(
      fc.property(scenario, ({ workflow, results, order }) => {
        const job = play(workflow, results, order);
        const changes = job.deltas.flatMap((delta) => delta.changes);
        const started = changes.flatMap((change) =>
          change.change === "started" && change.iteration > 0 ? [change.iteration] : [],
        );
        expect(new Set(started).size).toBe(started.length);
        const passes = new Map<string, number>();
        for (const change of changes) {
          if (change.change === "reverted")
            for (const task of job.context.workflow.region(change.task)) passes.delete(task);
          if (change.change !== "started" || change.iteration === 0) continue;
          passes.set(change.task, (passes.get(change.task) ?? 0) + 1);
          expect(passes.get(change.task)).toBe(1);
        }
      }),
      { numRuns: runs },
    );
  });
});
