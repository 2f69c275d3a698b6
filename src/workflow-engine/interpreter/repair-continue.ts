import { conflict } from "../../core/errors.ts";
import { record, type Draft } from "./draft.ts";
import type { JobEvent } from "./events.ts";
import { resetForward } from "./finish-task.ts";
import { forgetTask } from "./forget-task.ts";
import { isUnderWay, taskState, type JobState } from "./job-state.ts";
import { regionOf, takenEdges } from "./joins.ts";
import { runAgain } from "./repair-errors.ts";
import { restingLoop } from "./repair-revert.ts";
import { requireOperation } from "./state-machines.ts";

/**
 * Goes on after a finished task as it last finished: what its transitions lead to is reset and runs
 * again, the task itself does not (workflow-engine.md §7.1, continueJob). Without a task: after the one
 * that finished last of those one can go on from.
 */
export function continueJob(draft: Draft, { fromTask }: Extract<JobEvent, { event: "continue" }>): void {
  requireOperation(draft.state.status, "continue");
  const obstacle = fromTask === undefined ? undefined : obstacleOf(draft, fromTask);
  if (obstacle !== undefined) throw conflict(obstacle);
  takeAgain(draft, fromTask ?? lastOpen(draft));
  runAgain(draft);
}

function takeAgain(draft: Draft, taskId: string): void {
  const edges = takenEdges(draft.state, draft.workflow, taskId);
  const revert = edges.find((edge) => edge.type === "revert");
  if (revert) {
    resetForward(draft, revert.to);
    return;
  }
  for (const forward of regionOf(draft.workflow, edges)) forgetTask(draft, forward);
  record(draft, { change: "continued", task: taskId });
}

function lastOpen(draft: Draft): string {
  const finished = [...draft.state.tasks].filter(([taskId]) => obstacleOf(draft, taskId) === undefined);
  const [last] = finished.toSorted(
    ([, one], [, other]) => (other.endedAt ?? 0) - (one.endedAt ?? 0) || other.iteration - one.iteration,
  );
  if (last) return last[0];
  throw conflict("There is no finished task to go on from: what follows is under way, or waits for other tasks");
}

/** Why one cannot go on from the task; undefined when one can. */
function obstacleOf(draft: Draft, taskId: string): string | undefined {
  const { state, workflow } = draft;
  const task = taskState(state, taskId);
  if (task.status !== "complete" && task.status !== "error") {
    return `Task ${taskId} is ${task.status}: a job goes on from a task that has finished`;
  }
  const targets = takenEdges(state, workflow, taskId).map((edge) => edge.to);
  if (targets.length === 0) return `Task ${taskId} ended in ${task.finishState} and has no transition for it`;
  const loop = restingLoop(draft, taskId);
  if (loop !== undefined) return `Task ${taskId} belongs to the loop ${loop}, which is not running`;
  return obstacleAhead(state, targets);
}

function obstacleAhead(state: JobState, targets: readonly string[]): string | undefined {
  const busy = targets.filter((target) => state.ready.has(target) || isUnderWay(taskState(state, target)));
  if (busy.length > 0) return `${busy.join(", ")} is under way already. To repeat it, revert to it`;
  const isWaiting = targets.every((target) => taskState(state, target).status === "incomplete");
  return isWaiting ? `${targets.join(", ")} waits for other tasks as well` : undefined;
}
