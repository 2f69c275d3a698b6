import type { Caller } from "../../core/caller.ts";
import type { TaskResult } from "../../core/task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";

/** A call of an automatic task that leaves the engine. */
export interface TaskCall {
  task: WorkflowTask;
  incoming: Record<string, unknown>;
  /** On whose behalf the call is made. */
  caller: Caller;
  /** The same for every repetition of this attempt: handed to adapters so that a repeated call can be told (decision 16). */
  idempotencyKey: string;
}

/**
 * Performs automatic tasks of applications and adapters. A failure is a result in `error`; only
 * StoreUnavailableError is thrown, after which the call is made again.
 */
export interface TaskCaller {
  call(call: TaskCall): Promise<TaskResult>;
}

/** Finds the account a task acts for (its `actor`). */
export interface CallerDirectory {
  /** Undefined for an account that is gone or inactive. */
  byAccountId(accountId: string): Promise<Caller | undefined>;
  byUsername(username: string): Promise<Caller | undefined>;
  /** Who called some time ago, with what the account may do now; undefined when its session or it itself is gone. */
  renew(caller: Caller): Promise<Caller | undefined>;
}
