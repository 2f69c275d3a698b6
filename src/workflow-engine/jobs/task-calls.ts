import type { Caller } from "../../core/caller.ts";
import type { JsonObject } from "../../core/json.ts";
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
  /**
   * For results that may be too large for memory: takes JSON text (UTF-8) from a source as fast as the store writes it.
   * Answers the value for `outgoing`: itself when it is not large, otherwise a StoredValue. A TaskError when it is not
   * one JSON value, or too long; whoever calls may let it through, and the task ends with it.
   */
  keep(source: AsyncIterable<Uint8Array | string>): Promise<unknown>;
}

/**
 * Performs automatic tasks of applications and adapters. A failure is a result in `error`, or a TaskError that is
 * thrown; beside that only what is to be tried again is thrown (StoreUnavailableError, WorkerPoolError). Values in `incoming`
 * may be kept in the store (StoredValue): whoever wants what is in one streams it.
 */
export interface TaskCaller {
  call(call: TaskCall): Promise<TaskResult>;
}

/** Computes tasks of the library that take too long for the event loop. */
export interface HeavyTasks {
  /** A task by its name; one that has failed is a result in `error`. Throws only what is to be tried again. */
  run(work: HeavyWork & { name: string }): Promise<TaskResult>;
  /** The transformation document of a task `transformation`. */
  transform(work: HeavyWork & { document: JsonObject }): Promise<TaskResult>;
}

/** What is to be computed, apart from by what. */
export interface HeavyWork {
  incoming: Record<string, unknown>;
  /** For whom: the identifier of the job. */
  key: string;
  /** `App.method` of the task, as errors name it. */
  origin: string;
}

/** Finds the account a task acts for (its `actor`). */
export interface CallerDirectory {
  /** Undefined for an account that is gone or inactive. */
  byAccountId(accountId: string): Promise<Caller | undefined>;
  byUsername(username: string): Promise<Caller | undefined>;
  /** Who called some time ago, with what the account may do now; undefined when its session or it itself is gone. */
  renew(caller: Caller): Promise<Caller | undefined>;
}
