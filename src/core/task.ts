import type { TSchema } from "@sinclair/typebox";

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
}

/** What a task ended with. */
export interface TaskResult {
  finishState: Exclude<FinishState, "loop">;
  outgoing: Record<string, unknown>;
  error?: unknown;
}

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
  outgoing: readonly { name: string; schema: TSchema }[];
  /** Path of the page of a manual task. */
  view?: string;
  examples: readonly TaskExample[];
  /**
   * Computes the result from resolved arguments, without any effect. Absent where the engine itself
   * acts (childJob, delay, …). Throws TaskError to finish in `error`.
   */
  run?: (incoming: Readonly<Record<string, unknown>>, context: TaskContext) => TaskResult;
}

/** A task refuses its arguments or cannot compute a result; the task finishes in `error` with this message. */
export class TaskError extends Error {
  override readonly name = "TaskError";
}
