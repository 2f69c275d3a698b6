import fc from "fast-check";
import { PlatformError } from "../../src/core/errors.ts";
import { advance } from "../../src/workflow-engine/interpreter/advance.ts";
import type { JobEvent } from "../../src/workflow-engine/interpreter/events.ts";
import { openErrors } from "../../src/workflow-engine/interpreter/repair-errors.ts";
import { SimulatedJob, tester } from "./simulated-job.ts";
import type { RandomResult } from "./random-workflow.ts";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";

/** What somebody asks of a job between two answers; the number chooses tasks. */
export interface RandomRepair {
  kind: "none" | "pause" | "resume" | "cancel" | "fix" | "revert" | "continue" | "retry";
  choice: number;
}

/** Repairs between the answers of a random workflow; cancel is rare. */
export const randomRepairs: fc.Arbitrary<RandomRepair[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 40, arbitrary: fc.constant("none" as const) },
      {
        weight: 59,
        arbitrary: fc.constantFrom("pause", "resume", "resume", "fix", "revert", "continue", "retry"),
      },
      { weight: 1, arbitrary: fc.constant("cancel" as const) },
    ),
    choice: fc.nat(10_000),
  }),
  { minLength: 60, maxLength: 60 },
);

interface Scenario {
  workflow: WorkflowDocument;
  results: readonly RandomResult[];
  order: readonly number[];
}

/** Answers open tasks in a random order, with repairs in between. What the job's state forbids is refused and passed over. */
export function playWithRepairs(
  { workflow, results, order }: Scenario,
  repairs: readonly RandomRepair[],
  watch: (job: SimulatedJob, event: JobEvent) => void = () => undefined,
): SimulatedJob {
  const job = new SimulatedJob(workflow);
  results.forEach((finishState, step) => {
    const repair = repairs[step] ?? { kind: "none", choice: 0 };
    const events = [repairEvent(job, repair), answerOf(job, finishState, order[step] ?? 0)];
    for (const event of events) {
      if (event === undefined || !isAllowed(job, event)) continue;
      watch(job, event);
      job.send(event);
    }
  });
  return job;
}

function isAllowed({ state, context, at }: SimulatedJob, event: JobEvent): boolean {
  try {
    advance(state, event, { ...context, at });
    return true;
  } catch (error) {
    if (error instanceof PlatformError) return false;
    throw error;
  }
}

function repairEvent(job: SimulatedJob, { kind, choice }: RandomRepair): JobEvent | undefined {
  const by = tester;
  const { taskIds } = job.context.workflow;
  const pick = (from: readonly string[], by: number): string => from[by % from.length] ?? "t1";
  const errored = openErrors(job.state);
  switch (kind) {
    case "none":
      return undefined;
    case "fix":
      return {
        event: "fix",
        from: errored.length > 0 ? pick(errored, choice) : "job",
        to: pick(taskIds, choice >> 4),
        by,
      };
    case "revert":
      return { event: "revert", to: pick(taskIds, choice), by };
    case "continue":
      return { event: "continue", ...(choice % 3 === 0 ? {} : { fromTask: pick(taskIds, choice >> 2) }), by };
    case "retry":
      return { event: "retry", task: errored.length > 0 ? pick(errored, choice) : "t1", by };
    default:
      return { event: kind, by };
  }
}

function answerOf({ state }: SimulatedJob, finishState: RandomResult, choice: number): JobEvent | undefined {
  const open = [...state.tasks].filter(([, task]) => task.status === "running" && task.wait);
  const [task, found] = open[choice % Math.max(1, open.length)] ?? [];
  if (task === undefined || found?.wait === undefined) return undefined;
  const { iteration, wait } = found;
  if (wait.for === "person") return { event: "finishManualTask", task, finishState, variables: {}, by: tester };
  return { event: "taskResult", task, iteration, result: { finishState, outgoing: {} } };
}
