import type { FinishState } from "../../core/task.ts";

/** States of a job (workflow-engine.md §7.1). complete and canceled are final. */
export type JobStatus = "running" | "paused" | "error" | "complete" | "canceled";

/** States of a task (workflow-engine.md §7.2). */
export type TaskStatus = "incomplete" | "running" | "complete" | "error" | "canceled";

/** What an open task waits for. */
export type Wait =
  | { for: "call" }
  | { for: "timer"; dueAt: number; then: TimedResult | "retry" }
  | { for: "person" }
  | { for: "children" }
  | { for: "body" };

/** How a task ends when its timer is due. */
export interface TimedResult {
  finishState: Exclude<FinishState, "loop">;
  outgoing: Record<string, unknown>;
  error?: unknown;
}

/** A child job of a childJob task. */
export interface ChildJob {
  _id: string;
  index: number;
  status: "running" | "complete" | "canceled";
  /** Job variables of the ended child. */
  variables?: Record<string, unknown>;
}

/**
 * State of one task. Replaced, never changed, so that a reader of an older state sees no later one.
 * Every member is always there: copies of objects of one shape are fast.
 */
export interface TaskState {
  status: TaskStatus;
  /** Joined transitions not yet decided; the task runs or dies when it reaches 0. */
  pending: number;
  /** A decided transition leads here. */
  isHit: boolean;
  /** Known never to run. */
  isDead: boolean;
  /** Its own transitions have been decided. */
  isSettled: boolean;
  /** Number of the current or last iteration; 0 before the first. */
  iteration: number;
  /** Numbers of all iterations, newest last. */
  iterations: readonly number[];
  retries: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  finishState: FinishState | undefined;
  /** Incoming values as resolved for the current iteration. */
  incoming: Record<string, unknown> | undefined;
  outgoing: Record<string, unknown> | undefined;
  error: unknown;
  wait: Wait | undefined;
  /** Who works on a manual task: account id and username. */
  owner: { accountId: string; username: string } | undefined;
  claimedAt: number | undefined;
  /** Position of a forEach or of a sequential child loop. */
  cursor: number | undefined;
  children: readonly ChildJob[] | undefined;
  isMocked: boolean;
}

/** Takes the place of a task's work: decision 18. `delay` in seconds. */
export interface Mock {
  finish_state?: "success" | "failure" | "error" | undefined;
  outgoing?: Record<string, unknown> | undefined;
  error?: unknown;
  delay?: number | undefined;
}

/** One entry of `job.error`. */
export interface JobError {
  task: string;
  message: unknown;
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/** Where a child job belongs. */
export interface ParentLink {
  job: string;
  task: string;
  iteration: number;
  index: number;
  /** True for a child of a loop: `childJobLoopIndex` is among its variables. */
  isLoop: boolean;
}

/** What a job is created with; never changes afterwards. */
export interface JobOrigin {
  _id: string;
  /** Content hash of the workflow snapshot. */
  snapshot: string;
  workflowId: string;
  name: string;
  variables: Record<string, unknown>;
  initiator: { accountId: string; username: string };
  description?: string;
  groups: readonly string[];
  ancestors: readonly string[];
  parent?: ParentLink;
  mocks?: Readonly<Record<string, Mock>>;
}

/** The whole state of a job after event `seq`. */
export interface JobState {
  origin: JobOrigin;
  seq: number;
  status: JobStatus;
  description: string | undefined;
  variables: Record<string, unknown>;
  tasks: Map<string, TaskState>;
  /** Tasks that may run as soon as the job is running. */
  ready: Set<string>;
  errors: readonly JobError[];
  watchers: readonly string[];
  groups: readonly string[];
  iterationCount: number;
  startedAt: number;
  endedAt: number | undefined;
  changedAt: number;
}

/** A copy to work on: what the original shares with it is never changed in place. */
export function draftOf(state: JobState): JobState {
  return { ...state, variables: { ...state.variables }, tasks: new Map(state.tasks), ready: new Set(state.ready) };
}

/** State of a task that must exist. */
export function taskState(state: JobState, taskId: string): TaskState {
  const task = state.tasks.get(taskId);
  if (!task) throw new Error(`job ${state.origin._id} has no task ${taskId}`);
  return task;
}

/** Replaces members of a task's state. */
export function patchTask(state: JobState, taskId: string, patch: Partial<TaskState>): TaskState {
  const patched = Object.assign({}, taskState(state, taskId), patch);
  state.tasks.set(taskId, patched);
  return patched;
}
