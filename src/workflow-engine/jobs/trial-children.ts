import type { Caller } from "../../core/caller.ts";
import { endChild } from "../interpreter/child-jobs.ts";
import { isLoop } from "../interpreter/child-loops.ts";
import { handleEvent } from "../interpreter/advance.ts";
import { triedTask, triedTaskId, type Trial } from "../interpreter/trial.ts";
import { prepareChild, variablesOfChild } from "./child-starts.ts";
import type { TrialServices } from "./task-trials.ts";

/** The child jobs that a childJob task would start. */
export interface ExpectedChildren {
  for: "childJobs";
  workflow: string;
  count: number;
  /** What the first of them would be started with, at most 20. */
  variables: Record<string, unknown>[];
}

const mostShown = 20;

/** The children that the task would start; where they cannot be started, how it would end. The caller names the workflow, and must see it. */
export async function tryChildren(
  services: TrialServices,
  trial: Trial,
  caller: Caller,
): Promise<{ trial: Trial; waitsFor?: ExpectedChildren }> {
  const { incoming = {} } = triedTask(trial);
  const workflow = String(incoming["workflow"]);
  const prepared = await prepareChild(services.snapshots, trial.state, workflow, caller);
  if (typeof prepared === "string") return { trial: withoutChildren(services, trial, prepared) };
  const count = isLoop(incoming) ? (incoming["data_array"] as unknown[]).length : 1;
  const variables: Record<string, unknown>[] = [];
  for (let index = 0; index < Math.min(count, mostShown); index++) {
    const made = await variablesOfChild(services, { incoming, index, key: caller.accountId });
    if (typeof made === "string") return { trial: withoutChildren(services, trial, made) };
    variables.push(made);
  }
  return { trial, waitsFor: { for: "childJobs", workflow, count, variables } };
}

/** None of the children that were about to start could. */
function withoutChildren({ environment, clock }: TrialServices, trial: Trial, reason: string): Trial {
  const { workflow, state, changes } = trial;
  const draft = handleEvent(state, { event: "proceed" }, { workflow, environment, at: clock.now() });
  const indexes = [...(triedTask(trial).children ?? [])].map(({ index }) => index);
  for (const index of indexes) endChild(draft, triedTaskId, index, { status: "failedToStart", reason });
  return { workflow, state: draft.state, changes: [...changes, ...draft.changes] };
}
