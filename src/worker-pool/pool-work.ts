/** What work in a worker has beside its input. */
export interface PoolContext {
  /** 0 ≤ x < 1. */
  random: () => number;
  /** Milliseconds since the worker was given the input. */
  elapsedMs: () => number;
}

/**
 * All that the workers of the pool can do, by name. Each is loaded where it runs, in the worker. It is pure
 * beside its context, as it may be stopped anywhere and done again; input and output are plain data that can be copied.
 * It throws TaskError for what its user did wrong.
 */
export const poolWork = {
  runTask: async () => (await import("./run-task.ts")).runTask,
  runTransformation: async () => (await import("./run-transformation.ts")).runTransformationInWorker,
  runQuery: async () => (await import("./run-query.ts")).runQuery,
  runEvaluation: async () => (await import("./run-query.ts")).runEvaluation,
  renderJinja: async () => (await import("./render-jinja.ts")).renderJinja,
  parseText: async () => (await import("../textfsm/index.ts")).parseText,
} satisfies Record<string, () => Promise<(input: never, context: PoolContext) => unknown>>;

/** The name of some work. */
export type WorkName = keyof typeof poolWork;
type Work<Name extends WorkName> = Awaited<ReturnType<(typeof poolWork)[Name]>>;
/** What some work is given. */
export type WorkInput<Name extends WorkName> = Parameters<Work<Name>>[0];
/** What some work gives. */
export type WorkOutput<Name extends WorkName> = Awaited<ReturnType<Work<Name>>>;

/** A question to a worker. */
export interface WorkQuestion {
  name: WorkName;
  input: unknown;
}

/**
 * Its answer. `pieces`: of an output that is too large to be read at once (`joinPieces`). `refusal`: the message of a
 * TaskError; `failure`: of anything else that was thrown.
 */
export type WorkAnswer = { output: unknown } | { pieces: Uint8Array[] } | { refusal: string } | { failure: string };
