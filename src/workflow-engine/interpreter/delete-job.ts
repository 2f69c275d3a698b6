import { conflict } from "../../core/errors.ts";
import { record, type Draft } from "./draft.ts";

/**
 * Takes a job out of sight (workflow-engine.md §7.1, delete): CONFLICT unless it is complete or canceled. The
 * change takes the next number of the log, so whoever goes by an older state of the job loses the race for it.
 */
export function deleteJob(draft: Draft): void {
  const { status, origin } = draft.state;
  if (status !== "complete" && status !== "canceled")
    throw conflict(`Job ${origin._id} is ${status} and cannot be deleted: cancel it first`);
  record(draft, { change: "deleted", at: draft.at });
}
