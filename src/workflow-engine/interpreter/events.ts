import type { TaskResult } from "../../core/task.ts";
import type { ChildEnd } from "./child-jobs.ts";

/** Who asks for something; told in the log and shown as owner. */
export interface Person {
  accountId: string;
  username: string;
}

/** What can reach a job from outside. `task` is a task id; a stale `iteration` makes the event void. */
export type JobEvent =
  | { event: "proceed" }
  | { event: "taskResult"; task: string; iteration: number; result: TaskResult }
  | { event: "timerDue"; task: string; iteration: number }
  | { event: "childEnded"; task: string; iteration: number; index: number; end: ChildEnd }
  | { event: "pause"; by: Person }
  | { event: "resume"; by: Person }
  | { event: "cancel"; by: Person }
  | { event: "claim"; task: string; owner: Person; by: Person }
  | { event: "release"; task: string; by: Person; isAdmin: boolean }
  | {
      event: "finishManualTask";
      task: string;
      iteration?: number;
      finishState: "success" | "failure" | "error";
      variables: Record<string, unknown>;
      by: Person;
    }
  | { event: "watch"; watchers: readonly string[]; by: Person }
  | { event: "group"; groups: readonly string[]; by: Person };
