import { endTaskId, startTaskId } from "../workflow-schema.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import { record, type Draft } from "./draft.ts";
import { forgetTask } from "./forget-task.ts";
import { taskState, type TaskState } from "./job-state.ts";

/**
 * Canceling tasks of a job that goes on (spec: control-flow-patterns.md, patterns 19, 25, 29, 32): their
 * results are void, their child jobs are canceled, and their transitions count as not taken.
 */
export function cancelTasks(draft: Draft, taskIds: Iterable<string>): void {
  const open = [...taskIds].filter((taskId) => isUnfinished(taskState(draft.state, taskId)));
  if (open.length === 0) return;
  for (const taskId of open) forgetTask(draft, taskId);
  record(draft, { change: "canceled", tasks: open, at: draft.at });
}

/** A task of which something may still be expected. What is complete without being settled is being reverted. */
function isUnfinished({ isSettled, status }: TaskState): boolean {
  return !isSettled && status !== "canceled" && status !== "complete";
}

/**
 * `cancelOthers: true`: what is unfinished upstream of a task that is about to start is canceled. A task in the
 * body of a loop cancels within that body alone: what leads to the loop still has its elements to run.
 */
export function cancelUpstream(draft: Draft, taskId: string): void {
  const { workflow } = draft;
  if (!workflow.options(taskId).cancelsUpstream) return;
  const body = innermostBody(workflow, taskId);
  const others = [...workflow.upstream(taskId)].filter((other) => other !== taskId && (!body || body.has(other)));
  cancelTasks(draft, new Set(others.flatMap((other) => [other, ...workflow.loopBody(other)])));
}

function innermostBody(workflow: CompiledWorkflow, taskId: string): ReadonlySet<string> | undefined {
  const bodies = workflow.loopsAround(taskId).map((loop) => workflow.loopBody(loop));
  return bodies.sort((left, right) => left.size - right.size)[0];
}

/** `cancelOthers: [...]`: when the task has finished, those tasks and what only they lead to are canceled. */
export function cancelListed(draft: Draft, taskId: string): void {
  const { cancels } = draft.workflow.options(taskId);
  if (cancels.length > 0) cancelTasks(draft, ledToOnlyBy(draft.workflow, cancels, taskId));
}

/** The tasks, and every task that can be come to only through them, but not through `kept`. */
function ledToOnlyBy(workflow: CompiledWorkflow, taskIds: readonly string[], kept: string): Set<string> {
  const fixed = new Set([kept, startTaskId, endTaskId]);
  const region = new Set(taskIds.filter((taskId) => workflow.task(taskId) && !fixed.has(taskId)));
  const isLedTo = (taskId: string): boolean => {
    const edges = workflow.joinEdges(taskId);
    return edges.length > 0 && edges.every(({ from }) => region.has(from));
  };
  for (let size = -1; size !== region.size;) {
    size = region.size;
    for (const taskId of workflow.taskIds) if (!fixed.has(taskId) && isLedTo(taskId)) region.add(taskId);
  }
  return region;
}
