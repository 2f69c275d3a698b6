import { endTaskId, startTaskId } from "../workflow-schema.ts";
import type { Change } from "./changes.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import type { ChildJob, JobOrigin, JobState, TaskState } from "./job-state.ts";
import { patchTask, taskState } from "./job-state.ts";
import { decide, freshTask, recount, resetTask, settle } from "./joins.ts";

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
    state.ready.add(task);
  },
  reverted: applyReverted,
  looped: applyLooped,
  children: (state, { task, children, cursor }) => {
    patchTask(state, task, { children, ...(cursor === undefined ? {} : { cursor }) });
  },
  childEnded: applyChildEnded,
  variable: (state, { name, value, isUndefined }) =>
    setVariable(state.variables, name, isUndefined ? undefined : value),
  described: (state, { description }) => {
    state.description = description;
  },
  claimed: (state, { task, owner, at }) => {
    patchTask(state, task, { owner, claimedAt: at });
  },
  released: (state, { task }) => {
    patchTask(state, task, { owner: undefined, claimedAt: undefined });
  },
  failed: (state, { error }) => {
    state.errors = [...state.errors, error];
  },
  status: applyStatus,
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
    groups: origin.groups,
    iterationCount: 0,
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
function withoutRun({ status, pending, isHit, isDead, iteration, iterations, retries }: TaskState): TaskState {
  return { ...freshTask, status, pending, isHit, isDead, iteration, iterations, retries };
}

function applyStarted(state: JobState, change: ChangeOf<"started">): void {
  const before = withoutRun(taskState(state, change.task));
  const { iteration } = change;
  state.ready.delete(change.task);
  state.iterationCount = Math.max(state.iterationCount, iteration);
  state.tasks.set(change.task, {
    ...before,
    status: "running",
    iteration,
    iterations: iteration === 0 ? before.iterations : [...before.iterations, iteration],
    startedAt: change.at,
    incoming: change.incoming,
    wait: change.wait,
    isMocked: change.isMocked ?? false,
  });
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
  });
  if (change.isSettled) settle(state, workflow, change.task);
}

function applyReverted(state: JobState, change: ChangeOf<"reverted">, workflow: CompiledWorkflow): void {
  const region = workflow.region(change.task);
  for (const taskId of region) resetTask(state, taskId);
  recount(state, workflow, region, new Set([change.task]));
  patchTask(state, change.task, { pending: 0, isHit: true });
  state.ready.add(change.task);
}

function applyLooped(state: JobState, change: ChangeOf<"looped">, workflow: CompiledWorkflow): void {
  const body = workflow.loopBody(change.task);
  for (const taskId of body) resetTask(state, taskId);
  patchTask(state, change.task, { cursor: change.cursor, outgoing: { current_item: change.item } });
  recount(state, workflow, body, new Set());
  for (const edge of workflow.edgesFrom(change.task)) {
    if (edge.state === "loop" && edge.type === "standard") decide(state, edge.to, true);
  }
}

function applyChildEnded(state: JobState, change: ChangeOf<"childEnded">): void {
  const children = (taskState(state, change.task).children ?? []).map((child): ChildJob =>
    child.index === change.index
      ? { ...child, status: change.status, ...(change.variables ? { variables: change.variables } : {}) }
      : child,
  );
  patchTask(state, change.task, { children });
}

function applyStatus(state: JobState, change: ChangeOf<"status">): void {
  if (state.status === "error" && change.status === "running") state.errors = [];
  state.status = change.status;
  if (change.status === "complete" || change.status === "canceled") state.endedAt = change.at;
  if (change.status !== "canceled") return;
  state.ready.clear();
  for (const [taskId, task] of state.tasks) {
    const isOpen = task.status === "incomplete" ? !task.isDead : task.status === "running";
    if (isOpen && taskId !== endTaskId) state.tasks.set(taskId, { ...task, status: "canceled" });
  }
}
