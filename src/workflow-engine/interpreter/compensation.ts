import { conflict } from "../../core/errors.ts";
import { endTaskId } from "../workflow-schema.ts";
import { cancelTasks } from "./cancel-tasks.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import { changeStatus, record, type Draft } from "./draft.ts";
import type { JobEvent } from "./events.ts";
import type { Compensation, Completion, JobState } from "./job-state.ts";

/*
 * Compensation: a task names the task that undoes it. When the job is canceled, or reverted past iterations
 * of the task that ended in success, what they did is undone first: one at a time, the last one first, each
 * once. Only then the job is canceled or reverted. Meanwhile nothing else of the job is started.
 */

/** Takes the changes of a job back, if there are any to take back. False: there are none, `then` can happen at once. */
export function beginCompensation(draft: Draft, then: Compensation["then"]): boolean {
  const { state, workflow } = draft;
  if (openCompletions(state, workflow, then).length === 0) return false;
  const scope = then === "cancel" ? workflow.taskIds : [...workflow.region(then.revert)];
  const kept = new Set([...workflow.compensators, endTaskId, ...revertingTask(then)]);
  cancelTasks(
    draft,
    scope.filter((taskId) => !kept.has(taskId)),
  );
  record(draft, { change: "compensating", then });
  if (then === "cancel" && state.status !== "running")
    record(draft, { change: "status", status: "running", at: draft.at });
  return true;
}

/** It has finished, and waits for its revert. */
function revertingTask(then: Compensation["then"]): string[] {
  return then === "cancel" || then.from === undefined ? [] : [then.from];
}

/** The completions that are to be undone before `then`, in the order in which they happened. */
export function openCompletions(
  { completions = [] }: JobState,
  workflow: CompiledWorkflow,
  then: Compensation["then"],
): readonly Completion[] {
  if (then === "cancel") return completions;
  const region = workflow.region(then.revert);
  return completions.filter(({ task }) => region.has(task));
}

/** The state as the compensating task sees it: what it undoes has the values of the iteration that is undone. */
export function stateAsCompleted(state: JobState, taskId: string): JobState {
  const current = state.compensation?.current;
  if (current?.by !== taskId) return state;
  const tasks = new Map(state.tasks);
  for (const { task, ...values } of current.completion.results) {
    const now = tasks.get(task);
    if (now) tasks.set(task, { ...now, ...values });
  }
  return { ...state, tasks };
}

const repairs: ReadonlySet<JobEvent["event"]> = new Set(["fix", "revert", "continue", "retry"]);

/** CONFLICT when a repair is asked of a job that is being compensated, but to retry the compensation itself. */
export function requireUncompensated({ compensation }: JobState, event: JobEvent): void {
  if (!compensation || !repairs.has(event.event)) return;
  if (event.event === "retry" && event.task === compensation.current?.by) return;
  throw conflict("What the job did is being compensated: that has to end first");
}

/** CONFLICT when a job is being canceled already. */
export function requireNotBeingCanceled({ compensation, status }: JobState): void {
  if (compensation?.then !== "cancel") return;
  throw conflict(
    status === "error"
      ? `Compensation by task ${compensation.current?.by} failed: resume the job to try it again, or cancel it with force`
      : "Job is being canceled already: its compensations run. Cancel it with force to leave them out",
  );
}

/** Ends the job for good: it becomes canceled, and its parent hears of it. */
export function endCanceled(draft: Draft): void {
  changeStatus(draft, "canceled", "jobCancel");
  if (draft.state.origin.parent) draft.effects.push({ effect: "notifyParent", status: "canceled" });
}
