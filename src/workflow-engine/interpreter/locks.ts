import { conflict } from "../../core/errors.ts";
import { TaskError } from "../../core/task.ts";
import { record, type Draft } from "./draft.ts";
import type { JobEvent } from "./events.ts";
import { iterationToBegin, taskState, type JobState, type TaskState } from "./job-state.ts";
import { resolveValue } from "./references.ts";

/*
 * A task with a lock starts once it has it, and gives it back when its iteration ends, however it ends (spec:
 * control-flow-patterns.md, patterns 17, 39, 40). A task has one lock for itself alone and asks for no second
 * one while it holds it. A section of several tasks is a loop or a child job whose forEach or childJob task has the
 * lock. Tasks in such sections can wait for each other in a circle: the one that closes it is refused the lock.
 */

/** Names of locks are shown to people and are keys of the store. */
const longestKey = 200;

/** Asks for the lock of a task that is about to start. False: it needs none, or has it. TaskError when the lock has no name. */
export function askForLock(draft: Draft, taskId: string): boolean {
  const { state, workflow } = draft;
  const option = workflow.options(taskId).lock;
  if (option === undefined || taskState(state, taskId).lock !== undefined) return false;
  const value = resolveValue(state, option.value);
  const isName = (typeof value === "string" && value !== "") || typeof value === "number";
  if (!isName) throw new TaskError(`The ${option.of} of the lock is missing`);
  const key = `${option.of}:${value}`;
  if (key.length > longestKey) throw new TaskError(`The name of the lock is longer than ${longestKey} characters`);
  const iteration = iterationToBegin(state, taskId);
  record(draft, { change: "scheduled", task: taskId, iteration, at: draft.at, wait: { for: "lock", key } });
  draft.effects.push({ effect: "acquireLock", task: taskId, iteration, key });
  return true;
}

/** Gives back what the task holds or waits for. */
export function releaseLock(draft: Draft, taskId: string): void {
  const { lock, wait, iteration } = taskState(draft.state, taskId);
  const key = lock ?? (wait?.for === "lock" ? wait.key : undefined);
  if (key !== undefined) draft.effects.push({ effect: "releaseLock", iteration, key });
}

/** News of the lock that a task waits for. */
export type LockEvent = Extract<JobEvent, { event: "lockGranted" | "lockQueued" | "lockPassed" | "lockRefused" }>;

/** The task has the lock: it starts as soon as the job is running. */
export function grantLock(draft: Draft, event: LockEvent): void {
  requireWaiting(draft.state, event);
  record(draft, { change: "locked", task: event.task });
}

/** Somebody else has the lock: the task is in its queue now. */
export function queueForLock(draft: Draft, event: LockEvent): void {
  const { key } = requireWaiting(draft.state, event);
  const { task, iteration } = event;
  const at = taskState(draft.state, task).startedAt ?? draft.at;
  record(draft, { change: "scheduled", task, iteration, at, wait: { for: "lock", key, isQueued: true } });
}

/** The turn of the task came while its job was held: it was passed over and asks again when the job goes on. */
export function passLock(draft: Draft, event: LockEvent): void {
  requireWaiting(draft.state, event);
  record(draft, { change: "requeued", task: event.task });
}

/** The task would never get the lock. Returns what is wrong. */
export function refuseLock(draft: Draft, event: Extract<LockEvent, { event: "lockRefused" }>): string {
  const { key } = requireWaiting(draft.state, event);
  const [, ...others] = event.waits;
  if (others.length === 0) return `The lock ${key} is held by the loop or child job task that this task is part of`;
  const circle = others.map((wait) => `task ${wait.task} of job ${wait.job}, which waits for the lock ${wait.key}`);
  const steps = circle.join(", held by what surrounds ");
  return `The lock ${key} would never come: it is held by what surrounds ${steps}, held by what surrounds this task`;
}

/** What the iteration waits for, if it is a lock. */
export function lockWait(task: TaskState | undefined, iteration: number): { key: string; isQueued?: true } | undefined {
  return task?.iteration === iteration && task.wait?.for === "lock" ? task.wait : undefined;
}

// The document of the lock changes in the same commit as the job: an event that comes to nothing must be refused.
function requireWaiting(state: JobState, { task, iteration }: LockEvent): { key: string } {
  const isEnded = state.status === "complete" || state.status === "canceled";
  const wait = lockWait(state.tasks.get(task), iteration);
  if (isEnded || !wait || state.tasks.get(task)?.status !== "scheduled") {
    throw conflict(`Task ${task} does not wait for this lock any more`);
  }
  return wait;
}
