import type { FinishState } from "../../core/task.ts";
import type { ChildJob, Compensation, JobError, JobOrigin, JobStatus, Wait } from "./job-state.ts";

/**
 * Everything that can happen to a job's state. The log of a job is a list of these; applying them in
 * order rebuilds any moment of it. Times are milliseconds since the epoch.
 */
export type Change =
  | { change: "created"; at: number; origin: JobOrigin }
  /** A task begins an iteration. */
  | {
      change: "started";
      task: string;
      iteration: number;
      at: number;
      incoming: Record<string, unknown>;
      wait?: Wait;
      isMocked?: boolean;
    }
  /** A task ends its iteration. `isSettled`: its transitions are decided by this finish state. */
  | {
      change: "finished";
      task: string;
      at: number;
      state: FinishState;
      outgoing?: Record<string, unknown>;
      error?: unknown;
      isSettled: boolean;
    }
  /** The transitions of a task are decided by the finish state it has. */
  | { change: "settled"; task: string }
  | { change: "waiting"; task: string; wait: Wait; retries?: number }
  /** A task begins an iteration, but has to wait before it runs. */
  | { change: "scheduled"; task: string; iteration: number; at: number; wait: Wait }
  /** The task has the lock it waited for and may run. */
  | { change: "locked"; task: string }
  /** The run window that the task waited for is open, and it may run. */
  | { change: "opened"; task: string }
  /** The timer of the task came due while the job was paused; `seq`: of this event of the log. */
  | { change: "timerHeld"; task: string; seq: number }
  /** Tasks that have not ended are given up: their transitions count as not taken. */
  | { change: "canceled"; tasks: readonly string[]; at: number }
  /** A task goes back to be run again: after a retry delay, or when an errored job is resumed. */
  | { change: "requeued"; task: string }
  /** Everything forward of the task is reset and the task runs again. */
  | { change: "reverted"; task: string }
  /** Everything forward of the transitions that the task took last is reset, and they are taken again. */
  | { change: "continued"; task: string }
  /** A task in error goes back to be run again; `replaced` takes the place of its incoming values of these names. */
  | { change: "retried"; task: string; replaced: Record<string, unknown> }
  /** A forEach enters its body for element `cursor`. */
  | { change: "looped"; task: string; cursor: number; item: unknown }
  /** `isMore`: they come after those that the task has. */
  | { change: "children"; task: string; children: readonly ChildJob[]; cursor?: number; isMore?: true }
  /** The loop goes no further: what is left of its children is canceled. */
  | { change: "childrenStopped"; task: string }
  | {
      change: "childEnded";
      task: string;
      index: number;
      status: ChildJob["status"];
      variables?: Record<string, unknown>;
    }
  /** The child could not be started. */
  | { change: "childFailed"; task: string; index: number; reason: string }
  /** A job variable takes a value; `isUndefined` keeps "assigned, but undefined" apart from "never assigned". */
  | { change: "variable"; name: string; value?: unknown; isUndefined?: true }
  | { change: "described"; description: string }
  | { change: "claimed"; task: string; owner: { accountId: string; username: string }; at: number }
  | { change: "released"; task: string }
  /** The job is to be taken back before what is to happen `then`. */
  | { change: "compensating"; then: Compensation["then"] }
  /** An iteration is about to be undone, by the task that its own names. */
  | { change: "compensate"; task: string; iteration: number }
  /** The iteration that was to be undone is. */
  | { change: "compensated" }
  /** A task took an event; `iteration`: the newest of the job. What is older than `keptFrom` need not be remembered any more. */
  | { change: "eventTaken"; id: string; at: number; iteration: number; keptFrom: number }
  /** The call of a task lasts so long that lists show it. */
  | { change: "lasting"; task: string }
  /** The job did not end within the time its workflow promises. */
  | { change: "slaMissed"; at: number }
  | { change: "failed"; error: JobError }
  | { change: "status"; status: JobStatus; at: number }
  /** The last change of a log: nobody sees the job from now on, and its log goes a while later. */
  | { change: "deleted"; at: number }
  | { change: "watched"; watchers: readonly string[] }
  | { change: "grouped"; groups: readonly string[] };

/** What caused an activation, kept beside its changes for audit. */
export interface Cause {
  event: string;
  /** Username of the person who asked for it. */
  by?: string;
}

/** One event of a job's log. */
export interface Delta {
  cause: Cause;
  changes: Change[];
}
