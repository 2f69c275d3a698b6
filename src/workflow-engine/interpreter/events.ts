import type { TaskResult } from "../../core/task.ts";
import type { ChildEnd } from "./child-jobs.ts";

/** Who asks for something; told in the log and shown as owner. */
export interface Person {
  accountId: string;
  username: string;
}

/** A task that waits for a lock, which is held around the next task of the circle. */
export interface CircularWait {
  job: string;
  task: string;
  key: string;
}

/** What can reach a job from outside. `task` is a task id; a stale `iteration` makes the event void. */
export type JobEvent =
  | { event: "proceed" }
  | { event: "taskResult"; task: string; iteration: number; result: TaskResult }
  | { event: "timerDue"; task: string; iteration: number }
  /** The run window of a task opens. */
  | { event: "windowOpens"; task: string; iteration: number }
  /** The call of a task has not ended within a second. */
  | { event: "callLasts"; task: string; iteration: number }
  /** The time that the workflow promises is over. */
  | { event: "slaDue" }
  /** An event that the task may take; `at`: its time. */
  | { event: "eventArrived"; task: string; iteration: number; id: string; at: number; payload: unknown }
  | { event: "childEnded"; task: string; iteration: number; index: number; end: ChildEnd }
  | { event: "pause"; by: Person }
  | { event: "resume"; by: Person }
  /** `force`: compensations are left out. */
  | { event: "cancel"; by: Person; force?: boolean }
  | { event: "lockGranted" | "lockQueued" | "lockPassed"; task: string; iteration: number }
  /** `waits`: the circle of tasks that wait for each other, this one first. Alone: it waits for what it is part of itself. */
  | { event: "lockRefused"; task: string; iteration: number; waits: readonly CircularWait[] }
  /** Takes a job that has ended out of sight, for good. */
  | { event: "delete"; by: Person }
  | { event: "fix"; from: string; to: string; by: Person }
  | { event: "revert"; from?: string; to: string; by: Person }
  | { event: "continue"; fromTask?: string; by: Person }
  | { event: "retry"; task: string; variables?: Record<string, unknown>; by: Person }
  | { event: "claim"; task: string; iteration?: number; owner: Person; by: Person }
  /** Gives a manual task to an account; `isAdmin`: of who asks. */
  | { event: "assign"; task: string; iteration?: number; owner: Person; by: Person; isAdmin: boolean }
  | { event: "release"; task: string; iteration?: number; by: Person; isAdmin: boolean }
  | {
      event: "finishManualTask";
      task: string;
      iteration?: number;
      finishState: "success" | "failure" | "error";
      variables: Record<string, unknown>;
      by: Person;
      /** Of who asks: an administrator may finish what somebody else has claimed. */
      isAdmin?: boolean;
    }
  /** Adds account ids to the watchers, or takes them away: what others add meanwhile stays. */
  | { event: "watch"; watchers: readonly string[]; by: Person }
  | { event: "unwatch"; watchers: readonly string[]; by: Person }
  /** `mustKeep`: who asks is no administrator and is in these groups, one of which must remain. */
  | {
      event: "group";
      change: "add" | "remove" | "replace";
      groups: readonly string[];
      by: Person;
      mustKeep?: readonly string[];
    };
