/**
 * Thrown by a pure computation on the event loop that notices that it will take more than a few milliseconds. It is
 * given up and repeated as a whole in a worker of the pool, with the limits of a worker. Whoever turns what is
 * thrown into a value lets this one pass.
 */
export class HeavyWorkError extends Error {
  override readonly name = "HeavyWorkError";

  constructor(message = "The computation needs a worker of its own") {
    super(message);
  }
}

/**
 * What pure work on the event loop has cost so far, in steps of some twenty microseconds: one is about what an ordinary
 * task costs. Whoever works off a row of such work looks at it in between, and lets others run. Counted and never
 * timed, so that the same work always costs the same.
 */
export interface Effort {
  spent: number;
}

/** What one computation may cost on the event loop before it is given up for a worker: some ten milliseconds. */
export const mostEffort = 500;

/** Does the work on the event loop, or in a worker when it turns out to be too much (HeavyWorkError). */
export async function lightOrHeavy<Result>(
  onLoop: () => Result | Promise<Result>,
  inWorker: () => Promise<Result>,
): Promise<Result> {
  try {
    return await onLoop();
  } catch (error) {
    if (error instanceof HeavyWorkError) return inWorker();
    throw error;
  }
}
