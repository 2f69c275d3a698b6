import type { TSchema } from "@sinclair/typebox";
import type { Effort } from "./heavy-work.ts";
import type { InputSize } from "./input-size.ts";

/** automatic: calls a method; operation: handled by the engine itself; manual: worked by a person. */
export type TaskType = "automatic" | "operation" | "manual";

/** States a task can finish in; they select the transitions taken. `loop` belongs to forEach. */
export type FinishState = "success" | "failure" | "error" | "loop";

export interface TaskArgument {
  name: string;
  schema: TSchema;
  /** `""`, null and absent all mean "not given" for an optional argument. */
  isOptional?: boolean;
}

/** A worked example; each is run as a test and shown in the reference. */
export interface TaskExample {
  incoming: Record<string, unknown>;
  /** Expected outgoing variables; absent when `error` is expected. */
  outgoing?: Record<string, unknown>;
  finishState?: FinishState;
  /** Expected error text (a part of it). */
  error?: string;
}

/** What a pure task may use beside its arguments. */
export interface TaskContext {
  /** Milliseconds since the epoch, fixed for the activation. */
  now: number;
  /** 0 ≤ x < 1. */
  random: () => number;
  /**
   * True in a worker of the pool, where the pool's limits bound the work. Else the task runs on the event loop:
   * it throws HeavyWorkError as soon as it notices that it takes more than a few milliseconds.
   */
  isInWorker?: boolean;
  /** On the event loop: patterns and the like add what they cost, beyond what the arguments weigh. */
  effort?: Effort;
}

/** What a task ended with. */
export interface TaskResult {
  finishState: Exclude<FinishState, "loop">;
  outgoing: Record<string, unknown>;
  error?: unknown;
}

/**
 * Computes the result of a task from resolved arguments, without any effect. Throws TaskError to finish in `error`,
 * HeavyWorkError to be repeated in a worker.
 */
export type TaskRun = (incoming: Readonly<Record<string, unknown>>, context: TaskContext) => TaskResult;

/** One task that workflows can use: its model, palette entry, reference and examples derive from this value. */
export interface Task {
  name: string;
  /** Export name of the application it belongs to, e.g. `WorkFlowEngine`. */
  app: string;
  type: TaskType;
  /** Palette group, e.g. `Array`. */
  displayName: string;
  /** Label on the canvas when it differs from the name. */
  canvasName?: string;
  summary: string;
  description?: string;
  /** In the order of the arguments. */
  incoming: readonly TaskArgument[];
  /** Arguments by other names that real workflows use for them. */
  otherNames?: Readonly<Record<string, string>>;
  outgoing: readonly { name: string; schema: TSchema }[];
  /** Path of the page of a manual task. */
  view?: string;
  examples: readonly TaskExample[];
  /** Absent where the engine itself acts (childJob, delay, …), and where `loadRun` or `isCall` stand for it. */
  run?: TaskRun;
  /**
   * What part these arguments take of what a task may cost on the event loop (`mostEffort`): with more than 1 the task
   * runs in a worker of the pool. Asked before they are checked; cheap, and throws nothing. Absent: next to nothing.
   * `size`: of the arguments together.
   */
  weigh?: (incoming: Readonly<Record<string, unknown>>, size: InputSize) => number;
  /** For a task that always runs in a worker, as its library is costly to load: loads its `run`, there alone. */
  loadRun?: () => Promise<TaskRun>;
  /** For a task that reaches outside: the platform makes it as a call, at least once, with a key that repetitions share. */
  isCall?: true;
}

/** A task refuses its arguments or cannot compute a result; the task finishes in `error` with this message. */
export class TaskError extends Error {
  override readonly name = "TaskError";
}
