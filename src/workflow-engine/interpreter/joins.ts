import type { CompiledWorkflow } from "./compiled-workflow.ts";
import { patchTask, taskState, type JobState, type TaskState } from "./job-state.ts";
import type { Edge } from "./workflow-graph.ts";

/**
 * Joins by dead-path elimination (workflow-engine.md §3.3.3): a task is decided when every joined
 * transition is; it runs once if one of them was taken, and is dead, with everything that only it
 * leads to, if none was.
 */
export function settle(state: JobState, workflow: CompiledWorkflow, taskId: string): void {
  const dead: string[] = [];
  settleEdges(state, workflow, taskId, dead);
  for (let next = dead.pop(); next !== undefined; next = dead.pop()) settleEdges(state, workflow, next, dead);
}

function settleEdges(state: JobState, workflow: CompiledWorkflow, taskId: string, dead: string[]): void {
  const task = patchTask(state, taskId, { isSettled: true });
  for (const edge of workflow.edgesFrom(taskId)) {
    if (edge.type !== "standard" || isDecidedBefore(task, edge)) continue;
    if (decide(state, edge.to, isTaken(task, edge))) dead.push(edge.to);
  }
}

/** A forEach that has looped decided its loop transitions when it entered the body. */
function isDecidedBefore(task: TaskState, edge: Edge): boolean {
  return edge.state === "loop" && task.cursor !== undefined;
}

/** Was this transition taken by the finish state its source has? */
function isTaken(task: TaskState, edge: Edge): boolean {
  return !task.isDead && task.finishState === edge.state;
}

/** One more joined transition of a task is decided. True when that makes the task dead. */
export function decide(state: JobState, taskId: string, isHit: boolean): boolean {
  const before = taskState(state, taskId);
  if (before.pending === 0) return false;
  const task = patchTask(state, taskId, { pending: before.pending - 1, isHit: before.isHit || isHit });
  if (task.pending > 0) return false;
  if (task.isHit) {
    state.ready.add(taskId);
    return false;
  }
  patchTask(state, taskId, { isDead: true });
  return true;
}

/** State of a task before it ever ran in this pass; `iterations` of earlier passes stay. */
export function resetTask(state: JobState, taskId: string): void {
  const { iteration, iterations } = taskState(state, taskId);
  state.ready.delete(taskId);
  state.tasks.set(taskId, { ...freshTask, iteration, iterations });
}

/** A task nothing has happened to yet. */
export const freshTask: TaskState = {
  status: "incomplete",
  pending: 0,
  isHit: false,
  isDead: false,
  isSettled: false,
  iteration: 0,
  iterations: [],
  retries: 0,
  startedAt: undefined,
  endedAt: undefined,
  finishState: undefined,
  incoming: undefined,
  outgoing: undefined,
  error: undefined,
  wait: undefined,
  owner: undefined,
  claimedAt: undefined,
  cursor: undefined,
  children: undefined,
  isMocked: false,
};

/**
 * Counts the joins of a region that was just reset. Transitions from inside the region, or from tasks
 * not settled yet, are open again; those from settled tasks outside keep what they contributed.
 * Tasks left with no open transition become ready or dead at once.
 */
export function recount(
  state: JobState,
  workflow: CompiledWorkflow,
  region: ReadonlySet<string>,
  entry: ReadonlySet<string>,
): void {
  for (const taskId of region) {
    if (entry.has(taskId)) continue;
    const edges = workflow.joinEdges(taskId);
    const open = edges.filter((edge) => !isContributed(state, region, edge));
    const isHit = edges.some((edge) => !open.includes(edge) && isTaken(taskState(state, edge.from), edge));
    patchTask(state, taskId, { pending: open.length, isHit });
  }
}

function isContributed(state: JobState, region: ReadonlySet<string>, edge: Edge): boolean {
  return !region.has(edge.from) && taskState(state, edge.from).isSettled;
}
