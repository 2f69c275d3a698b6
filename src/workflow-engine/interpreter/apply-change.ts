import { endTaskId, startTaskId } from "../workflow-schema.ts";
import type { Change } from "./changes.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import { applyCompensate, applyCompensated, compensatorAtWork, keepCompletion } from "./completions.ts";
import { addChildren, changeChild, stopChildren } from "./child-list.ts";
import type { ChunkedList } from "./chunked-list.ts";
import { isUnderWay, patchTask, taskState } from "./job-state.ts";
import type { JobOrigin, JobState, TaskState } from "./job-state.ts";
import {
  cancelStates,
  decide,
  decideJoin,
  freshTask,
  recount,
  regionOf,
  resetTask,
  settle,
  takenEdges,
} from "./joins.ts";

type ChangeOf<Kind extends Change["change"]> = Extract<Change, { change: Kind }>;
type Appliers = {
  [Kind in Change["change"]]: (state: JobState, change: ChangeOf<Kind>, workflow: CompiledWorkflow) => void;
};

const appliers: Appliers = {
  created: () => undefined,
  started: applyStarted,
  finished: applyFinished,
  settled: (state, change, workflow) => settle(state, workflow, change.task),
  waiting: (state, { task, wait, retries }) => {
    patchTask(state, task, { status: "running", wait, ...(retries === undefined ? {} : { retries }) });
  },
  requeued: (state, { task }) => {
    patchTask(state, task, { ...withoutRun(taskState(state, task)), status: "incomplete" });
    dropErrors(state, new Set([task]));
    state.ready.add(task);
  },
  reverted: applyReverted,
  continued: applyContinued,
  retried: applyRetried,
  looped: applyLooped,
  scheduled: applyScheduled,
  locked: (state, { task }) => {
    const { wait } = taskState(state, task);
    patchTask(state, task, { wait: undefined, lock: wait?.for === "lock" ? wait.key : undefined });
    state.ready.add(task);
  },
  opened: (state, { task }) => {
    patchTask(state, task, { wait: undefined });
    state.ready.add(task);
  },
  timerHeld: (state, { task, seq }) => {
    const { wait } = taskState(state, task);
    if (wait?.for === "timer") patchTask(state, task, { wait: { ...wait, heldSeq: seq } });
    if (wait?.for === "any" && wait.timer)
      patchTask(state, task, { wait: { ...wait, timer: { ...wait.timer, heldSeq: seq } } });
  },
  canceled: (state, { tasks, at }, workflow) => {
    cancelStates(state, workflow, { tasks, at });
    dropHeldErrors(state, new Set(tasks));
  },
  children: (state, { task, children, cursor, isMore }) => {
    const before = isMore ? taskState(state, task) : {};
    patchTask(state, task, { ...addChildren(before, children), ...(cursor === undefined ? {} : { cursor }) });
  },
  childrenStopped: (state, { task }) => {
    patchTask(state, task, stopChildren(taskState(state, task)));
  },
  childEnded: applyChildEnded,
  childFailed: (state, { task, index, reason }) => {
    patchTask(state, task, changeChild(taskState(state, task), index, { status: "failed", reason }));
  },
  variable: (state, { name, value, isUndefined }) =>
    setVariable(state.variables, name, isUndefined ? undefined : value),
  described: (state, { description }) => {
    state.description = description;
  },
  claimed: (state, { task, owner, at }) => {
    patchTask(state, task, { owner, claimedAt: at });
    if (!state.owners.includes(owner.accountId)) state.owners = [...state.owners, owner.accountId];
  },
  released: (state, { task }) => {
    patchTask(state, task, { owner: undefined, claimedAt: undefined });
  },
  compensating: (state, { then }) => {
    state.compensation = { ...state.compensation, then };
    // Nothing else of a job that is to be canceled will run.
    if (then === "cancel")
      for (const task of state.ready) if (task !== compensatorAtWork(state)) state.ready.delete(task);
  },
  compensate: applyCompensate,
  compensated: applyCompensated,
  eventTaken: applyEventTaken,
  lasting: (state, { task }) => {
    patchTask(state, task, { isLasting: true });
  },
  slaMissed: (state) => {
    state.slaMissed = true;
  },
  failed: (state, { error }) => {
    state.errors = [...state.errors, error];
  },
  status: applyStatus,
  deleted: (state) => {
    state.isDeleted = true;
  },
  watched: (state, { watchers }) => {
    state.watchers = watchers;
  },
  grouped: (state, { groups }) => {
    state.groups = groups;
  },
};

/** Applies one change to a draft of the state. Used live and in replay alike, so both always agree. */
export function applyChange(state: JobState, change: Change, workflow: CompiledWorkflow): void {
  const apply = appliers[change.change] as (state: JobState, change: Change, workflow: CompiledWorkflow) => void;
  apply(state, change, workflow);
}

/** Does this release know such a change? A newer one may write others. */
export function isKnownChange({ change }: { change: string }): boolean {
  return Object.hasOwn(appliers, change);
}

/** State of a job just created, before its first task. Job variables: inputs as given, then `_id` and `initiator`, which the engine always sets. */
export function createState(origin: JobOrigin, at: number, workflow: CompiledWorkflow): JobState {
  const tasks = new Map<string, TaskState>();
  for (const taskId of workflow.taskIds) {
    const pending = workflow.joinEdges(taskId).length;
    tasks.set(taskId, { ...freshTask, pending });
  }
  const variables: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(origin.variables)) setVariable(variables, name, value);
  setVariable(variables, "_id", origin._id);
  setVariable(variables, "initiator", origin.initiator.username);
  const isPerson = origin.initiator.accountId !== "Pronghorn";
  return {
    origin,
    seq: 0,
    status: "running",
    description: origin.description,
    variables,
    tasks,
    ready: new Set([startTaskId]),
    errors: [],
    watchers: isPerson ? [origin.initiator.accountId] : [],
    owners: [],
    groups: origin.groups,
    iterationCount: 0,
    completions: undefined,
    compensation: undefined,
    startedAt: at,
    endedAt: undefined,
    changedAt: at,
  };
}

/** Sets a member without ever reaching the prototype. */
function setVariable(variables: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(variables, name, { value, writable: true, enumerable: true, configurable: true });
  } else variables[name] = value;
}

/** A task's state without what belongs to one run of it. */
function withoutRun(task: TaskState): TaskState {
  const { status, pending, isHit, isDead, iteration, iterations, retries, replaced } = task;
  return { ...freshTask, status, pending, isHit, isDead, iteration, iterations, retries, replaced };
}

function applyStarted(state: JobState, change: ChangeOf<"started">): void {
  const scheduled = taskState(state, change.task);
  const before = withoutRun(scheduled);
  const { iteration } = change;
  // A task that waited for its lock goes on with the iteration it has begun.
  const lock = scheduled.iteration === iteration ? scheduled.lock : undefined;
  state.ready.delete(change.task);
  state.iterationCount = Math.max(state.iterationCount, iteration);
  state.tasks.set(change.task, {
    ...before,
    status: "running",
    iteration,
    iterations: withIteration(before.iterations, iteration),
    lock,
    startedAt: change.at,
    incoming: change.incoming,
    wait: change.wait,
    isMocked: change.isMocked ?? false,
  });
}

/** An iteration that waited before it ran is there already; 0 is none. */
function withIteration(iterations: ChunkedList<number>, iteration: number): ChunkedList<number> {
  return iteration === 0 || iterations.at(-1) === iteration ? iterations : iterations.append([iteration]);
}

/** More than a job can meet again; a bound for workflows that look back for days over a busy topic. */
const mostTakenEvents = 1_000;

function applyEventTaken(state: JobState, { id, at, iteration, keptFrom }: ChangeOf<"eventTaken">): void {
  const kept = (state.takenEvents ?? []).filter((event) => event.at >= keptFrom);
  state.takenEvents = [...kept, { id, at, iteration }].slice(-mostTakenEvents);
}

function applyScheduled(state: JobState, { task, iteration, at, wait }: ChangeOf<"scheduled">): void {
  const before = withoutRun(taskState(state, task));
  state.ready.delete(task);
  state.iterationCount = Math.max(state.iterationCount, iteration);
  const iterations = withIteration(before.iterations, iteration);
  state.tasks.set(task, { ...before, status: "scheduled", iteration, iterations, startedAt: at, wait });
}

function applyFinished(state: JobState, change: ChangeOf<"finished">, workflow: CompiledWorkflow): void {
  const before = taskState(state, change.task);
  state.tasks.set(change.task, {
    ...before,
    status: change.state === "error" ? "error" : "complete",
    finishState: change.state,
    endedAt: change.at,
    outgoing: change.outgoing ?? before.outgoing,
    error: change.error === undefined ? before.error : change.error,
    wait: undefined,
    lock: undefined,
  });
  keepCompletion(state, change, workflow);
  if (change.isSettled) settle(state, workflow, change.task);
}

function applyReverted(state: JobState, change: ChangeOf<"reverted">, workflow: CompiledWorkflow): void {
  const region = workflow.region(change.task);
  for (const taskId of region) resetTask(state, taskId);
  dropHeldErrors(state, region);
  recount(state, workflow, region, new Set([change.task]));
  patchTask(state, change.task, { pending: 0, isHit: true });
  state.ready.add(change.task);
  state.compensation = undefined;
}

function applyContinued(state: JobState, change: ChangeOf<"continued">, workflow: CompiledWorkflow): void {
  const taken = takenEdges(state, workflow, change.task);
  const region = regionOf(workflow, taken);
  for (const taskId of region) resetTask(state, taskId);
  dropHeldErrors(state, region);
  recount(state, workflow, region, new Set());
  for (const { to } of taken) decideJoin(state, workflow, to);
}

/** A job that is not in error may hold errors that a repair left: they end with their tasks. A job in error keeps saying why. */
function dropHeldErrors(state: JobState, taskIds: ReadonlySet<string>): void {
  if (state.status !== "error") dropErrors(state, taskIds);
}

function dropErrors(state: JobState, taskIds: ReadonlySet<string>): void {
  if (state.errors.some(({ task }) => taskIds.has(task))) {
    state.errors = state.errors.filter(({ task }) => !taskIds.has(task));
  }
}

function applyRetried(state: JobState, { task, replaced }: ChangeOf<"retried">): void {
  patchTask(state, task, { ...withoutRun(taskState(state, task)), status: "incomplete", replaced });
  dropErrors(state, new Set([task]));
  state.ready.add(task);
}

function applyLooped(state: JobState, change: ChangeOf<"looped">, workflow: CompiledWorkflow): void {
  const body = workflow.loopBody(change.task);
  for (const taskId of body) resetTask(state, taskId);
  // The transitions into the body count as open until they are decided below.
  patchTask(state, change.task, { cursor: undefined });
  recount(state, workflow, body, new Set());
  patchTask(state, change.task, { cursor: change.cursor, outgoing: { current_item: change.item } });
  for (const edge of workflow.edgesFrom(change.task)) {
    if (edge.state === "loop" && edge.type === "standard") decide(state, workflow, edge.to, true);
  }
}

function applyChildEnded(state: JobState, { task, index, status, variables }: ChangeOf<"childEnded">): void {
  patchTask(state, task, changeChild(taskState(state, task), index, { status, ...(variables ? { variables } : {}) }));
}

function applyStatus(state: JobState, change: ChangeOf<"status">): void {
  if (state.status === "error" && change.status === "running") state.errors = [];
  state.status = change.status;
  if (change.status === "complete" || change.status === "canceled") state.endedAt = change.at;
  if (change.status !== "canceled") return;
  state.ready.clear();
  state.compensation = undefined;
  for (const [taskId, task] of state.tasks) {
    // What has failed is not open any more: nobody will repair it.
    if (task.status === "error" && !task.isSettled) state.tasks.set(taskId, { ...task, isSettled: true });
    const isOpen = task.status === "incomplete" ? !task.isDead : isUnderWay(task);
    if (isOpen && taskId !== endTaskId) state.tasks.set(taskId, { ...task, status: "canceled", lock: undefined });
  }
}
