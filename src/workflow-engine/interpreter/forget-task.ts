import type { Draft } from "./draft.ts";
import { isOpenChild, isUnderWay, taskState, type TaskState, type Wait } from "./job-state.ts";
import { releaseLock } from "./locks.ts";

/** Waits for which there is work in the queue under the iteration. */
const worksForWaits: ReadonlySet<Wait["for"]> = new Set(["call", "timer", "window", "event", "any"]);

/** Drops the work a task under way waits for and the lock it holds, so that a late result finds nothing to finish. */
export function forgetTask(draft: Draft, taskId: string): void {
  const task = taskState(draft.state, taskId);
  if (!isUnderWay(task)) return;
  releaseLock(draft, taskId);
  if (task.wait && worksForWaits.has(task.wait.for))
    draft.effects.push({ effect: "forget", iteration: task.iteration });
  cancelChildren(draft, task);
}

/** Cancels the child jobs of a task that have not ended. */
export function cancelChildren(draft: Draft, { children }: TaskState): void {
  for (const child of children ?? []) {
    if (isOpenChild(child)) draft.effects.push({ effect: "cancelChild", jobId: child._id });
  }
}
