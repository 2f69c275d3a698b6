import { TaskError } from "../core/task.ts";

/** Longest text a task may make: UTF-16 units. */
const longestText = 64 * 1024 * 1024;
/** Longest array a task may make. */
const longestArray = 10_000_000;

/** Refuses a text before it is made. */
export function checkTextLength(length: number): void {
  if (length > longestText)
    throw new TaskError(`The result would be a text of ${length} characters; at most ${longestText} are possible`);
}

/** Refuses an array before it is made. */
export function checkArrayLength(length: number): void {
  if (length > longestArray)
    throw new TaskError(`The result would be an array of ${length} elements; at most ${longestArray} are possible`);
}
