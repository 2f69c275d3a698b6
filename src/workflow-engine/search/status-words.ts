import { badRequest } from "../../core/errors.ts";
import type { JobStatus } from "../interpreter/job-state.ts";

const open: readonly JobStatus[] = ["running", "paused", "error"];

/** The words that lists of jobs are asked by (workflow-engine.md §8.6), with the statuses they stand for. */
const statusWords: Readonly<Record<string, readonly JobStatus[]>> = {
  active: open,
  cancelled: ["canceled"],
  canceled: ["canceled"],
  complete: ["complete"],
  error: ["error"],
  incomplete: open,
  paused: ["paused"],
  running: ["running"],
};

/** The statuses that a word stands for, upper and lower case alike; BAD_REQUEST names the known words. */
export function jobStatuses(word: string): readonly JobStatus[] {
  const name = word.toLowerCase();
  const statuses = Object.hasOwn(statusWords, name) ? statusWords[name] : undefined;
  if (statuses) return statuses;
  const message = `must be one of ${Object.keys(statusWords).join(", ")}`;
  throw badRequest(`The status ${message}`, [{ path: "/params/status", message }]);
}
