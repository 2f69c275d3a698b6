import { badRequest, conflict } from "../../core/errors.ts";
import { TaskError } from "../../core/task.ts";
import { changeStatus, record, type Draft } from "./draft.ts";
import type { JobEvent, Person } from "./events.ts";
import { finishTask, forgetTask } from "./finish-task.ts";
import { taskState, type TaskState } from "./job-state.ts";
import { asJson } from "./json-value.ts";

type EventOf<Kind extends JobEvent["event"]> = Extract<JobEvent, { event: Kind }>;

/** Pauses a running job: what runs outside is not interrupted, what would follow is held (workflow-engine.md §7.1). */
export function pauseJob(draft: Draft): void {
  if (draft.state.status === "paused") throw conflict("Job is already paused");
  requireStatus(draft, ["running"], "paused");
  changeStatus(draft, "paused", "jobPause");
}

/** Resumes a paused or errored job; tasks in error are run again. */
export function resumeJob(draft: Draft): void {
  requireStatus(draft, ["paused", "error"], "resumed");
  changeStatus(draft, "running", "jobResume");
  for (const [taskId, task] of draft.state.tasks) {
    if (task.status === "error" && !task.isSettled) record(draft, { change: "requeued", task: taskId });
  }
}

/** Cancels a job and its children; late results are discarded. */
export function cancelJob(draft: Draft): void {
  requireStatus(draft, ["running", "paused", "error"], "canceled");
  for (const taskId of draft.state.tasks.keys()) forgetTask(draft, taskId);
  changeStatus(draft, "canceled", "jobCancel");
  if (draft.state.origin.parent) draft.effects.push({ effect: "notifyParent", status: "canceled" });
}

/** Gives a manual task to a person. Claiming one's own task again changes nothing; somebody else's is refused. */
export function claimTask(draft: Draft, { task: taskId, owner }: EventOf<"claim">): void {
  const task = requireManualTask(draft, taskId);
  if (task.owner?.accountId === owner.accountId) return;
  if (task.owner) throw conflict(`Task is already claimed by ${task.owner.username}`);
  record(draft, { change: "claimed", task: taskId, owner, at: draft.at });
}

/** Takes a manual task back from its owner; only the owner or an administrator may. */
export function releaseTask(draft: Draft, { task: taskId, by, isAdmin }: EventOf<"release">): void {
  const task = requireManualTask(draft, taskId);
  if (!task.owner) return;
  if (!isAdmin && task.owner.accountId !== by.accountId) throw conflict(`Task is claimed by ${task.owner.username}`);
  record(draft, { change: "released", task: taskId });
}

/** Finishes a manual task with what the person decided. A task nobody claimed may be finished directly. */
export function finishManualTask(draft: Draft, event: EventOf<"finishManualTask">): void {
  const task = requireManualTask(draft, event.task, event.iteration);
  if (draft.state.status === "paused") throw conflict("The job is paused: resume it first");
  requireStorable(event.variables);
  if (!task.owner) record(draft, { change: "claimed", task: event.task, owner: ownerOf(event.by), at: draft.at });
  const error = event.finishState === "error" ? { message: "Finished in error", by: event.by.username } : undefined;
  finishTask(draft, event.task, { finishState: event.finishState, outgoing: event.variables, error });
}

/** A person can mend what the log cannot hold: the task stays open. */
function requireStorable(variables: Readonly<Record<string, unknown>>): void {
  try {
    asJson(variables);
  } catch (thrown) {
    throw thrown instanceof TaskError ? badRequest(thrown.message) : thrown;
  }
}

function ownerOf({ accountId, username }: Person): Person {
  return { accountId, username };
}

function requireStatus(draft: Draft, allowed: readonly string[], verb: string): void {
  const { status } = draft.state;
  if (!allowed.includes(status)) throw conflict(`Job is ${status} and cannot be ${verb}`);
}

function requireManualTask(draft: Draft, taskId: string, iteration?: number): TaskState {
  const { status } = draft.state;
  if (status === "complete" || status === "canceled") throw conflict(`Job is ${status}`);
  if (!draft.state.tasks.has(taskId)) throw conflict(`The job has no task ${taskId}`);
  const task = taskState(draft.state, taskId);
  const isOpen = task.status === "running" && task.wait?.for === "person";
  if (!isOpen || (iteration !== undefined && iteration !== task.iteration)) {
    throw conflict("Task is not waiting for a person");
  }
  return task;
}
