import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advance } from "../../../src/workflow-engine/interpreter/advance.ts";
import { createState } from "../../../src/workflow-engine/interpreter/apply-change.ts";
import type { CompiledWorkflow } from "../../../src/workflow-engine/interpreter/compiled-workflow.ts";
import { taskState, type JobState } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { previewEvent } from "../../../src/workflow-engine/interpreter/preview.ts";
import { hasOpenError } from "../../../src/workflow-engine/interpreter/repair-errors.ts";
import { replay } from "../../../src/workflow-engine/jobs/job-log.ts";
import { documentOfState, stateOfDocument, type StateDocument } from "../../../src/workflow-engine/jobs/log-format.ts";
import { playWithRepairs, randomRepairs } from "../../support/random-repairs.ts";
import { randomWorkflow } from "../../support/random-workflow.ts";

const runs = Number(process.env["PROPERTY_RUNS"] ?? 400);

function plain(state: JobState): StateDocument {
  return asStored(documentOfState(state));
}

function asStored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** What a task that has yet to be decided waits for, counted anew. */
function expectJoinsCounted(state: JobState, workflow: CompiledWorkflow): void {
  for (const [taskId, task] of state.tasks) {
    if (task.status !== "incomplete" || task.isDead || state.ready.has(taskId)) continue;
    const open = workflow.joinEdges(taskId).filter((edge) => !taskState(state, edge.from).isSettled);
    expect({ taskId, pending: task.pending }).toEqual({ taskId, pending: open.length });
  }
}

describe("repairs of random workflows", () => {
  it("leave jobs that rest, with every join counted right", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(randomWorkflow, randomRepairs, (scenario, repairs) => {
        const { state, context } = playWithRepairs(scenario, repairs);
        const isWaiting = [...state.tasks.values()].some((task) => task.status === "running" && task.wait);
        if (state.status === "running") expect(isWaiting || state.ready.size > 0).toBe(true);
        if (state.status === "error") expect(state.errors.length).toBeGreaterThan(0);
        if (state.status === "complete") expect(hasOpenError(state)).toBe(false);
        if (state.status !== "canceled") expectJoinsCounted(state, context.workflow);
      }),
      { numRuns: runs },
    );
  });

  it("are rebuilt from the log exactly, with or without snapshots", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(randomWorkflow, randomRepairs, fc.nat(20), (scenario, repairs, cut) => {
        const job = playWithRepairs(scenario, repairs);
        const rows = job.deltas.map((delta, index) => ({ seq: index + 1, at: 1, delta: asStored(delta) }));
        const empty = createState(job.origin, 1_000_000, job.context.workflow);
        const half = replay(empty, rows.slice(0, cut), job.context.workflow);
        const whole = replay(stateOfDocument(plain(half)), rows.slice(cut), job.context.workflow);
        expect(plain({ ...whole, changedAt: 0 })).toEqual(plain({ ...job.state, changedAt: 0 }));
      }),
      { numRuns: runs },
    );
  });

  it("do what their preview says", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(randomWorkflow, randomRepairs, (scenario, repairs) => {
        playWithRepairs(scenario, repairs, ({ state, context, at }, event) => {
          if (!("by" in event) || event.event === "finishManualTask") return;
          const before = plain(state);
          const preview = previewEvent(state, event, { ...context, at });
          expect(plain(state)).toEqual(before);
          const { state: after, effects, delta } = advance(state, event, { ...context, at });
          // What a revert transition resets once the job runs on, the operation itself let stay or put in the queue.
          const later = delta.changes.slice(1).flatMap((change) => (change.change === "reverted" ? [change.task] : []));
          const isResetLater = (id: string) => later.some((task) => context.workflow.region(task).has(id));
          for (const id of preview.tasks.stay.filter((one) => !isResetLater(one))) {
            expect(taskState(after, id).iteration).toBe(taskState(state, id).iteration);
          }
          // What only waits for its turn starts unless the job stops for another reason first.
          const started = preview.tasks.run.filter(
            (id) => !after.ready.has(id) && !isResetLater(id) && id.startsWith("t"),
          );
          for (const id of started)
            expect(taskState(after, id).iteration).toBeGreaterThan(taskState(state, id).iteration);
          const forgotten = effects.flatMap((effect) => (effect.effect === "forget" ? [effect.iteration] : []));
          const dropped = preview.tasks.canceled.filter((id) => taskState(state, id).wait?.for === "call");
          expect(forgotten).toEqual(expect.arrayContaining(dropped.map((id) => taskState(state, id).iteration)));
        });
      }),
      { numRuns: runs },
    );
  });
});
