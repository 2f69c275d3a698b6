import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { JobState } from "../../src/workflow-engine/interpreter/job-state.ts";

/** What must be the same with faults and without: end, variables, how often each task ran, and the same of every child. */
export interface Outcome {
  workflow: string;
  status: string;
  variables: Record<string, unknown>;
  iterations: Record<string, number>;
  /** In the order of task, iteration and place in the loop. */
  children: Outcome[];
}

/** Outcome of a job without what differs from run to run. */
export function outcomeOf(state: JobState, children: Outcome[]): Outcome {
  const { _id: _jobId, initiator: _initiator, ...variables } = state.variables;
  return {
    workflow: state.origin.name,
    status: state.status,
    variables: shortened(variables),
    iterations: Object.fromEntries([...state.tasks].map(([taskId, task]) => [taskId, task.iterations.length])),
    children,
  };
}

// Values of hundreds of kilobytes are told by their digest.
const longestShown = 500;

function shortened(variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const text = JSON.stringify(value) ?? "undefined";
      return [name, text.length > longestShown ? createHash("sha256").update(text).digest("hex") : value];
    }),
  );
}

/** How an outcome is wrong. */
export type OutcomeFault = "stuck" | "doubled" | "different";

/** What is wrong with an outcome; undefined when it is as without faults. */
export function faultOf(outcome: Outcome, expected: Outcome): OutcomeFault | undefined {
  if (isDeepStrictEqual(outcome, expected)) return undefined;
  if (outcome.status === "running") return "stuck";
  const isDoubled = Object.entries(outcome.iterations).some(
    ([taskId, count]) => count > (expected.iterations[taskId] ?? 0),
  );
  if (isDoubled || outcome.children.length > expected.children.length) return "doubled";
  const faults = outcome.children.map((child, index) => faultOf(child, expected.children[index] ?? child));
  return faults.find((fault) => fault !== undefined) ?? "different";
}
