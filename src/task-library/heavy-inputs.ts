import type { Task } from "../core/task.ts";

type Weigh = NonNullable<Task["weigh"]>;

/**
 * For tasks that take more than some ten nanoseconds for a character or an element: measured, those that copy or look
 * something up are quicker than handing their values to a worker, which costs twenty milliseconds a megabyte.
 */
export const weighSize: Weigh = (_incoming, { characters, elements }) =>
  Math.max(characters / 1_000_000, elements / 50_000);

/** For tasks that take some ten microseconds for each element. */
export const weighElements: Weigh = (_incoming, { characters, elements }) =>
  Math.max(characters / 100_000, elements / 1_000);
