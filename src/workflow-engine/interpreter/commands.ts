import { badRequest, conflict } from "../../core/errors.ts";
import { TaskError } from "../../core/task.ts";
import { changeStatus, record, type Draft } from "./draft.ts";
import { dropOthers } from "./event-listener.ts";
import type { JobEvent, Person } from "./events.ts";
import { compensatorAtWork } from "./completions.ts";
import { beginCompensation, endCanceled, requireNotBeingCanceled } from "./compensation.ts";
import { finishTask } from "./finish-task.ts";
import { forgetTask } from "./forget-task.ts";
import { taskState, type TaskState } from "./job-state.ts";
import { asJson } from "./json-value.ts";
import { isForPerson } from "./wait-any.ts";
import { isOpenError } from "./repair-errors.ts";
import { requireOperation } from "./state-machines.ts";

type EventOf<Kind extends JobEvent["event"]> = Extract<JobEvent, { event: Kind }>;

/** Pauses a running job: what runs outside is not interrupted, what would follow is held (workflow-engine.md §7.1). */
export function pauseJob(draft: Draft): void {
  if (draft.state.status === "paused") throw conflict("Job is already paused");
  requireOperation(draft.state.status, "pause");
  changeStatus(draft, "paused", "jobPause");
}

/** Resumes a paused or errored job; tasks in error are run again. */
export function resumeJob(draft: Draft): void {
  requireOperation(draft.state.status, "resume");
  changeStatus(draft, "running", "jobResume");
  for (const [taskId, task] of draft.state.tasks) {
    if (isOpenError(task) && isResumed(draft, taskId)) record(draft, { change: "requeued", task: taskId });
  }
}

/** While a job is compensated, only the task that does so runs again. */
function isResumed({ state }: Draft, taskId: string): boolean {
  return state.compensation === undefined || compensatorAtWork(state) === taskId;
}

/** Cancels a job and its children; late results are discarded. What can be undone is undone first, unless by force. */
export function cancelJob(draft: Draft, { force }: EventOf<"cancel">): void {
  requireOperation(draft.state.status, "cancel");
  if (force !== true) {
    requireNotBeingCanceled(draft.state);
    if (beginCompensation(draft, "cancel")) return;
  }
  for (const taskId of draft.state.tasks.keys()) forgetTask(draft, taskId);
  endCanceled(draft);
}

/** Gives a manual task to a person. Claiming one's own task again changes nothing; somebody else's is refused. */
export function claimTask(draft: Draft, { task: taskId, iteration, owner }: EventOf<"claim">): void {
  requireOperation(draft.state.status, "claim");
  const task = requireManualTask(draft, taskId, iteration);
  if (task.owner?.accountId === owner.accountId) return;
  if (task.owner) throw conflict(`Task is already claimed by ${task.owner.username}`);
  record(draft, { change: "claimed", task: taskId, owner, at: draft.at });
}

/** Gives a manual task to a person, from whoever has it: what somebody else has claimed only an administrator gives away. */
export function assignTask(draft: Draft, { task: taskId, iteration, owner, by, isAdmin }: EventOf<"assign">): void {
  requireOperation(draft.state.status, "assign");
  const task = requireManualTask(draft, taskId, iteration);
  if (task.owner?.accountId === owner.accountId) return;
  requireOwn(task, by, isAdmin);
  record(draft, { change: "claimed", task: taskId, owner: ownerOf(owner), at: draft.at });
}

/** Takes a manual task back from its owner; only the owner or an administrator may. */
export function releaseTask(draft: Draft, { task: taskId, iteration, by, isAdmin }: EventOf<"release">): void {
  requireOperation(draft.state.status, "release");
  const task = requireManualTask(draft, taskId, iteration);
  if (!task.owner) return;
  requireOwn(task, by, isAdmin);
  record(draft, { change: "released", task: taskId });
}

/** Finishes a manual task with what the person decided. A task nobody claimed may be finished directly; one that somebody else has claimed only by an administrator. */
export function finishManualTask(draft: Draft, event: EventOf<"finishManualTask">): void {
  requireOperation(draft.state.status, "finish");
  const task = requireManualTask(draft, event.task, event.iteration);
  requireOwn(task, event.by, event.isAdmin ?? false);
  requireStorable(event.variables);
  if (!task.owner) record(draft, { change: "claimed", task: event.task, owner: ownerOf(event.by), at: draft.at });
  const error = event.finishState === "error" ? { message: "Finished in error", by: event.by.username } : undefined;
  const outgoing = task.wait?.for === "any" ? { ...event.variables, winner: "person" } : event.variables;
  dropOthers(draft, task);
  finishTask(draft, event.task, { finishState: event.finishState, outgoing, error });
}

function requireOwn({ owner }: TaskState, by: Person, isAdmin: boolean): void {
  if (owner && !isAdmin && owner.accountId !== by.accountId) throw conflict(`Task is claimed by ${owner.username}`);
}

/** A person can mend what the log cannot hold: the task stays open. */
export function requireStorable(variables: Readonly<Record<string, unknown>>): void {
  try {
    asJson(variables);
  } catch (thrown) {
    throw thrown instanceof TaskError ? badRequest(thrown.message) : thrown;
  }
}

function ownerOf({ accountId, username }: Person): Person {
  return { accountId, username };
}

function requireManualTask(draft: Draft, taskId: string, iteration?: number): TaskState {
  if (!draft.state.tasks.has(taskId)) throw conflict(`The job has no task ${taskId}`);
  const task = taskState(draft.state, taskId);
  const isOpen = task.status === "running" && isForPerson(task.wait);
  if (!isOpen || (iteration !== undefined && iteration !== task.iteration)) {
    throw conflict("Task is not waiting for a person");
  }
  return task;
}
