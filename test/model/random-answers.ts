import type { WorkflowDocument, WorkflowTask } from "../../src/workflow-engine/workflow-schema.ts";
import { createRandom, type Random } from "../fuzz/random.ts";
import type { ChildEnding, LoopLimits } from "./reference-children.ts";
import type { Result } from "./reference-values.ts";
import type { Work } from "./views.ts";

/** How the outside answers a call or a person finishes a task: the same for the same seed and run, whenever it is asked. */
export function randomResult(seed: number, work: Work): Result {
  const random = randomOf(seed, work);
  const finishState = randomState(random, work);
  if (finishState === "error") return { finishState, outgoing: {}, error: `broken ${work.number}` };
  return { finishState, outgoing: random.chance(0.8) ? { result: random.below(5) } : {} };
}

/** What a child job tells, `times` being how often it has told something before. */
export function randomEnding(seed: number, work: Work, workflow: WorkflowDocument, times: number): ChildEnding {
  const random = randomOf(seed + times, work);
  const variables = { ...work.given, _id: "child", made: random.below(5) };
  if (random.chance(0.7)) return { status: "complete", variables };
  const { loopType, isCounted } = loopOf(workflow, work.task);
  if (isCounted && loopType !== "" && random.chance(0.5)) return { status: "error" };
  if (random.chance(0.3)) return { status: "failedToStart" };
  return { status: "canceled", ...(random.chance(0.5) ? { variables } : {}) };
}

/** `isCounted`: the loop goes no further after so many ends. */
function loopOf({ tasks }: WorkflowDocument, task: string): { loopType: unknown; isCounted: boolean } {
  const childJob = tasks[task] as (WorkflowTask & { loop?: LoopLimits }) | undefined;
  return {
    loopType: childJob?.variables?.incoming?.["loopType"],
    isCounted: childJob?.loop?.stopWhen !== undefined,
  };
}

/** Later runs succeed more often, so that cycles come to an end. */
function randomState(random: Random, { kind, number }: Work): Result["finishState"] {
  if (random.chance(number > 3 ? 0.8 : 0.6)) return "success";
  return random.chance(0.5) ? "failure" : kind === "person" && random.chance(0.9) ? "failure" : "error";
}

function randomOf(seed: number, { task, number, index }: Work): Random {
  return createRandom(seed, Number.parseInt(task, 16) * 4_096 + number * 16 + (index ?? 15));
}
