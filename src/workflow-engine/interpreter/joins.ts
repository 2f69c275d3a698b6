import { ChunkedList } from "./chunked-list.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import { isTakenBy } from "./decisions.ts";
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
    if (decide(state, workflow, edge.to, isTaken(workflow, task, edge))) dead.push(edge.to);
  }
}

/** A forEach that has looped decided its loop transitions when it entered the body. */
function isDecidedBefore(task: TaskState, edge: Edge): boolean {
  return edge.state === "loop" && task.cursor !== undefined;
}

/** Was this transition taken: by the ending its source has, or by entering the body of a loop? */
function isTaken({ decisions }: CompiledWorkflow, task: TaskState, edge: Edge): boolean {
  return !task.isDead && (isTakenBy(task, edge, decisions.has(edge.from)) || isDecidedBefore(task, edge));
}

/** One more joined transition of a task is decided. True when that makes the task dead. */
export function decide(state: JobState, workflow: CompiledWorkflow, taskId: string, isHit: boolean): boolean {
  const before = taskState(state, taskId);
  if (before.pending === 0) return false;
  const needed = workflow.options(taskId).join;
  if (needed !== undefined) return decideCounted(state, { taskId, isHit, needed });
  const task = patchTask(state, taskId, { pending: before.pending - 1, isHit: before.isHit || isHit });
  if (task.pending > 0) return false;
  if (task.isHit) {
    state.ready.add(taskId);
    return false;
  }
  patchTask(state, taskId, { isDead: true });
  return true;
}

interface CountedJoin {
  taskId: string;
  isHit: boolean;
  /** So many transitions have to be taken. */
  needed: number;
}

/** The same for a `join` that counts: enough make it ready at once, and no later one matters until it is reset. */
function decideCounted(state: JobState, { taskId, isHit, needed }: CountedJoin): boolean {
  const before = taskState(state, taskId);
  const hits = (before.hits ?? 0) + (isHit ? 1 : 0);
  const isEnough = hits >= needed;
  const pending = isEnough ? 0 : before.pending - 1;
  const isDead = !isEnough && pending === 0;
  patchTask(state, taskId, { pending, hits, isHit: before.isHit || isHit, isDead });
  if (isEnough) state.ready.add(taskId);
  return isDead;
}

/** Gives tasks up that have not ended: none of their transitions is taken. */
export function cancelStates(
  state: JobState,
  workflow: CompiledWorkflow,
  { tasks, at }: { tasks: readonly string[]; at: number },
): void {
  // All are canceled before any is settled: none of them may become ready or dead by another.
  for (const taskId of tasks) {
    const before = taskState(state, taskId);
    state.ready.delete(taskId);
    patchTask(state, taskId, {
      status: "canceled",
      pending: 0,
      isSettled: true,
      finishState: undefined,
      wait: undefined,
      lock: undefined,
      endedAt: before.startedAt === undefined ? undefined : at,
    });
  }
  for (const taskId of tasks) settle(state, workflow, taskId);
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
  hits: undefined,
  isDead: false,
  isSettled: false,
  iteration: 0,
  iterations: ChunkedList.of(),
  retries: 0,
  startedAt: undefined,
  endedAt: undefined,
  finishState: undefined,
  replaced: undefined,
  incoming: undefined,
  outgoing: undefined,
  error: undefined,
  wait: undefined,
  owner: undefined,
  claimedAt: undefined,
  cursor: undefined,
  children: undefined,
  childCounts: undefined,
  lock: undefined,
  isMocked: false,
  isLasting: false,
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
    const taken = edges.filter((edge) => !open.includes(edge) && isTaken(workflow, taskState(state, edge.from), edge));
    patchTask(state, taskId, { pending: open.length, isHit: taken.length > 0 });
    recountHits(state, workflow, taskId, taken.length);
  }
}

/** A task with no transition left to decide may run, or never will. */
export function decideJoin(state: JobState, workflow: CompiledWorkflow, taskId: string): void {
  const { pending, isHit, hits = 0 } = taskState(state, taskId);
  if (pending > 0) return;
  const needed = workflow.options(taskId).join;
  if (needed === undefined ? isHit : hits >= needed) state.ready.add(taskId);
  else {
    patchTask(state, taskId, { isDead: true });
    settle(state, workflow, taskId);
  }
}

/** The transitions that a finished task took. */
export function takenEdges(state: JobState, workflow: CompiledWorkflow, taskId: string): Edge[] {
  const task = taskState(state, taskId);
  return workflow.edgesFrom(taskId).filter((edge) => isTakenBy(task, edge, workflow.decisions.has(taskId)));
}

/** Everything forward of what these transitions lead to. */
export function regionOf(workflow: CompiledWorkflow, edges: readonly Edge[]): Set<string> {
  return new Set(edges.flatMap((edge) => [...workflow.region(edge.to)]));
}

/** Enough transitions from outside the region: the task need not wait for what is inside. */
function recountHits(state: JobState, workflow: CompiledWorkflow, taskId: string, hits: number): void {
  const needed = workflow.options(taskId).join;
  if (needed === undefined) return;
  const isEnough = hits >= needed;
  patchTask(state, taskId, isEnough ? { hits, pending: 0 } : { hits });
  if (isEnough) state.ready.add(taskId);
}

function isContributed(state: JobState, region: ReadonlySet<string>, edge: Edge): boolean {
  if (region.has(edge.from)) return false;
  const from = taskState(state, edge.from);
  return from.isSettled || isDecidedBefore(from, edge);
}
