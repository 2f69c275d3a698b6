import { changeStatus, record, type Draft } from "./draft.ts";
import type { JobState, TaskState } from "./job-state.ts";

/** Has the task failed with no way on, and nothing been done about it yet? Such a task holds its job. */
export function isOpenError({ status, isSettled }: TaskState): boolean {
  return status === "error" && !isSettled;
}

/** Is there a task that has failed with no way on? */
export function hasOpenError({ tasks }: JobState): boolean {
  for (const task of tasks.values()) if (isOpenError(task)) return true;
  return false;
}

/** Ids of the tasks that have failed with no way on. */
export function openErrors({ tasks }: JobState): string[] {
  return [...tasks].filter(([, task]) => isOpenError(task)).map(([taskId]) => taskId);
}

/**
 * A job in error that was repaired runs again. Errors of tasks that the repair did not touch stay on
 * record; the job returns to error when nothing else is left to do.
 */
export function runAgain(draft: Draft): void {
  const { state } = draft;
  if (state.status !== "error") return;
  const open = new Set(openErrors(state));
  const left = state.errors.filter(({ task }) => open.has(task));
  // The change of status clears all errors.
  changeStatus(draft, "running", "jobFix");
  for (const error of left) record(draft, { change: "failed", error });
}
