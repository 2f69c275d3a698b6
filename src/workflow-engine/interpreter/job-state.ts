import type { FinishState } from "../../core/task.ts";
import type { ChunkedList } from "./chunked-list.ts";
import type { EventFilter } from "./event-filter.ts";

/** States of a job (workflow-engine.md §7.1). complete and canceled are final. */
export type JobStatus = "running" | "paused" | "error" | "complete" | "canceled";

/** States of a task (workflow-engine.md §7.2). */
export type TaskStatus = "incomplete" | "scheduled" | "running" | "complete" | "error" | "canceled";

/** What an open task waits for. */
export type Wait =
  | { for: "call" }
  | ({ for: "timer"; then: TimedResult | "retry" } & TimerTime)
  | { for: "person" }
  | { for: "children" }
  | { for: "body" }
  /** `isQueued`: somebody else has the lock, and the task is in its queue. */
  | { for: "lock"; key: string; isQueued?: true }
  /** May not start before its run window opens. */
  | { for: "window"; dueAt: number }
  | { for: "event"; event: EventFilter }
  | AnyWait;

/** Several things at once: whichever comes first ends the task. */
export interface AnyWait {
  for: "any";
  isForPerson: boolean;
  timer?: { then: TimedResult } & TimerTime;
  event?: EventFilter;
}

/** When a timer is due, and whether it was while it could not act. */
export interface TimerTime {
  /** Milliseconds since the epoch. */
  dueAt: number;
  /** The event of the log in which it came due while the job was paused: it acts once that is over. */
  heldSeq?: number;
}

/** An event that a task took. */
export interface TakenEvent {
  id: string;
  /** Its time, milliseconds since the epoch. */
  at: number;
  /** The newest iteration of the job at that moment: later ones do not take it again. */
  iteration: number;
}

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
  /**
   * `error`: it is in error and may yet be repaired. Only children of loops that count failures tell so.
   * `failed`: it could not be started, and `reason` says why.
   */
  status: "running" | "error" | "complete" | "canceled" | "failed";
  reason?: string;
  /** Job variables of the ended child. */
  variables?: Record<string, unknown>;
}

/** Numbers of child jobs by status: counted as they change, since there may be many. */
export type ChildCounts = Readonly<Record<ChildJob["status"], number>>;

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
  /** How many do. Counted only for tasks whose `join` asks for a number. */
  hits: number | undefined;
  /** Known never to run. */
  isDead: boolean;
  /** Its own transitions have been decided. */
  isSettled: boolean;
  /** Number of the current or last iteration; 0 before the first. */
  iteration: number;
  /** Numbers of all iterations, newest last. */
  iterations: ChunkedList<number>;
  retries: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  finishState: FinishState | undefined;
  /** Incoming values that a person gave for a retry, until the task is reset or retried again. */
  replaced: Record<string, unknown> | undefined;
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
  /** In order of their indexes. */
  children: ChunkedList<ChildJob> | undefined;
  /** How many children are in which status; undefined without children. */
  childCounts: ChildCounts | undefined;
  /** Key of the lock that the task holds. */
  lock: string | undefined;
  isMocked: boolean;
  /** Its call lasts so long that lists show it. */
  isLasting: boolean;
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
  /** The parent wants to hear when the child goes into error. */
  tellsError?: true;
}

/** An iteration that ended in success and can be undone, with the values its undoing refers to: its own, and those of the loops around it. */
export interface Completion {
  task: string;
  iteration: number;
  results: readonly CompletedValues[];
}

/** Values of a task as they were then. */
export interface CompletedValues {
  task: string;
  incoming?: Record<string, unknown> | undefined;
  outgoing?: Record<string, unknown> | undefined;
}

/** A job whose changes are being taken back. */
export interface Compensation {
  /** What happens once that is done. `from`: the task whose revert transition it is. */
  then: "cancel" | { revert: string; from?: string };
  /** What is being undone just now, and the task that does it. */
  current?: { completion: Completion; by: string };
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
  /** Account ids of all who have owned a task, whoever owns it now. */
  owners: readonly string[];
  groups: readonly string[];
  /** Nobody sees the job any more. Absent for every other job. */
  isDeleted?: true;
  /** It did not end within the time its workflow promises. Absent: it has not missed it yet. */
  slaMissed?: true;
  /** Events that its tasks took, as far as a task may meet them again. */
  takenEvents?: readonly TakenEvent[];
  iterationCount: number;
  /** Iterations that can be undone, in the order in which they ended. Undefined: there are none. */
  completions: readonly Completion[] | undefined;
  compensation: Compensation | undefined;
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

/** Number of the iteration a task begins: one that had to wait before it could run has its number already. */
export function iterationToBegin(state: JobState, taskId: string): number {
  const { status, iteration } = taskState(state, taskId);
  return status === "scheduled" ? iteration : state.iterationCount + 1;
}

/** Has the task begun, and not ended: does it run, or wait until it may? */
export function isUnderWay({ status }: TaskState): boolean {
  return status === "running" || status === "scheduled";
}

/** Has the child job not ended, as far as its parent knows? */
export function isOpenChild({ status }: ChildJob): boolean {
  return status === "running" || status === "error";
}

/** Replaces members of a task's state. */
export function patchTask(state: JobState, taskId: string, patch: Partial<TaskState>): TaskState {
  // Not assigned to an empty object, nor spread both, which is six times slower: this happens several times for each task.
  const patched = Object.assign({ ...taskState(state, taskId) }, patch);
  state.tasks.set(taskId, patched);
  return patched;
}
