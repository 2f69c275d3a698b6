import { createRequire } from "node:module";
import type moment from "moment-timezone";

/** The calendar library, with the rules of all time zones. */
export type MomentLibrary = typeof moment;

const load = createRequire(import.meta.url);

/**
 * The calendar library whose formats and durations the time tasks speak (tasks-and-transformations.md §2).
 * It is read from disk when the first time task of the process runs, which costs some 30 ms and 8 MB once: a server
 * whose workflows have none does without. Node keeps it. Nothing of it is configured, so nobody else is affected.
 */
export function loadMoment(): MomentLibrary {
  return load("moment-timezone") as MomentLibrary;
}
