import type { FinishState } from "../../core/task.ts";
import type { ChildJob, JobError, JobOrigin, JobStatus, Wait } from "./job-state.ts";

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
  /** A task goes back to be run again: after a retry delay, or when an errored job is resumed. */
  | { change: "requeued"; task: string }
  /** Everything forward of the task is reset and the task runs again. */
  | { change: "reverted"; task: string }
  /** A forEach enters its body for element `cursor`. */
  | { change: "looped"; task: string; cursor: number; item: unknown }
  | { change: "children"; task: string; children: readonly ChildJob[]; cursor?: number }
  | {
      change: "childEnded";
      task: string;
      index: number;
      status: ChildJob["status"];
      variables?: Record<string, unknown>;
    }
  /** A job variable takes a value; `isUndefined` keeps "assigned, but undefined" apart from "never assigned". */
  | { change: "variable"; name: string; value?: unknown; isUndefined?: true }
  | { change: "described"; description: string }
  | { change: "claimed"; task: string; owner: { accountId: string; username: string }; at: number }
  | { change: "released"; task: string }
  | { change: "failed"; error: JobError }
  | { change: "status"; status: JobStatus; at: number }
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
