import { badRequest, conflict } from "../../core/errors.ts";
import type { Draft } from "./draft.ts";
import type { JobEvent } from "./events.ts";
import { resetForward } from "./finish-task.ts";
import { taskState } from "./job-state.ts";
import { isOpenError, openErrors, runAgain } from "./repair-errors.ts";
import { requireOperation } from "./state-machines.ts";

type EventOf<Kind extends JobEvent["event"]> = Extract<JobEvent, { event: Kind }>;

/** What a job that is stuck names as the task in error: itself. */
export const jobItself = "job";

/**
 * Takes a job back to a task it has come to: that task and everything forward of it is reset, and it
 * runs again. A paused job stays paused (workflow-engine.md §7.1, revertToTask).
 */
export function revertJob(draft: Draft, { from, to }: EventOf<"revert">): void {
  requireOperation(draft.state.status, "revert");
  takeBack(draft, to, from);
}

/** Takes a job in error back from the task in error (workflow-engine.md §7.1, fixJob). */
export function fixJob(draft: Draft, { from, to }: EventOf<"fix">): void {
  requireOperation(draft.state.status, "fix");
  requireErrored(draft, from);
  takeBack(draft, to, from === jobItself ? undefined : from);
}

function takeBack(draft: Draft, to: string, from: string | undefined): void {
  if (from !== undefined) requireUpstream(draft, to, from);
  requireCome(draft, to);
  requireLoop(draft, to);
  resetForward(draft, to);
  runAgain(draft);
}

function requireUpstream({ workflow }: Draft, to: string, from: string): void {
  if (workflow.region(to).has(from)) return;
  const upstream = workflow.taskIds.filter((taskId) => workflow.region(taskId).has(from));
  throw badRequest(`Task ${to} does not lie upstream of ${from}. These do: ${upstream.join(", ")}`);
}

function requireCome({ state, workflow }: Draft, to: string): void {
  if (workflow.compensators.has(to)) throw conflict(`Task ${to} undoes what others did: it does not run by itself`);
  if (taskState(state, to).status !== "incomplete" || state.ready.has(to)) return;
  throw conflict(`Task ${to} has not run: a job is reverted to a task that it has come to`);
}

/** A task of a loop's body belongs to the element the loop is at: there has to be one. */
export function requireLoop(draft: Draft, taskId: string): void {
  const loop = restingLoop(draft, taskId);
  if (loop === undefined) return;
  throw conflict(
    `Task ${taskId} belongs to the loop ${loop}, which is not running. Revert to ${loop} to repeat the loop`,
  );
}

/** The loop that the task belongs to and that is not running; undefined when all is well. */
export function restingLoop({ state, workflow }: Draft, taskId: string): string | undefined {
  return workflow.loopTaskIds.find(
    (loop) => workflow.loopBody(loop).has(taskId) && taskState(state, loop).wait?.for !== "body",
  );
}

/** A stuck job blames itself; any task that has finished can be where it went wrong then. */
function requireErrored({ state }: Draft, from: string): void {
  const isStuck = state.errors.some(({ task }) => task === jobItself);
  if (from === jobItself && isStuck) return;
  const task = state.tasks.get(from);
  if (task && (isOpenError(task) || (isStuck && task.finishState !== undefined))) return;
  const inError = isStuck ? [jobItself] : openErrors(state);
  throw conflict(`Task ${from} is not in error. In error: ${inError.join(", ")}`);
}
