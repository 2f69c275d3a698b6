import { endCanceled, openCompletions } from "./compensation.ts";
import { record, type Draft } from "./draft.ts";
import { resetForwardNow } from "./finish-task.ts";
import type { Compensation } from "./job-state.ts";
import { startTask } from "./start-task.ts";

/** Goes on with the compensation of a job by one step. False: a compensating task is at work outside. */
export function driveCompensation(draft: Draft, { then, current }: Compensation): boolean {
  if (current) {
    if (!draft.state.ready.has(current.by)) return false;
    startTask(draft, current.by);
    return true;
  }
  const next = openCompletions(draft.state, draft.workflow, then).at(-1);
  if (!next) {
    concludeCompensation(draft, then);
    return true;
  }
  record(draft, { change: "compensate", task: next.task, iteration: next.iteration });
  return true;
}

/** Nothing is left to undo: what was asked for takes place. */
export function concludeCompensation(draft: Draft, then: Compensation["then"]): void {
  if (then === "cancel") endCanceled(draft);
  else resetForwardNow(draft, then.revert, then.from);
}
