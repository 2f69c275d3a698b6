import { isDeepStrictEqual } from "node:util";

/** A finished job as the API shows it. */
export interface FinishedJob {
  _id: string;
  name: string;
  status: string;
  description: string;
  variables: Record<string, unknown>;
  tasks: Record<string, { iterations?: string[]; status: string }>;
}

/** What must be the same in a run with faults and one without: end, variables, how often each task ran. */
export interface JobOutcome {
  status: string;
  variables: Record<string, unknown>;
  iterations: Record<string, number>;
}

/** Outcome of a job without what differs from job to job. */
export function outcomeOf(job: FinishedJob): JobOutcome {
  const { _id: _jobId, initiator: _initiator, ...variables } = job.variables;
  const iterations = Object.fromEntries(
    Object.entries(job.tasks).map(([taskId, task]) => [taskId, task.iterations?.length ?? 0]),
  );
  return { status: job.status, variables, iterations };
}

/** What is wrong with an outcome, in a word that counts; undefined when it is as without faults. */
export function faultOf(outcome: JobOutcome, expected: JobOutcome): "stuck" | "doubled" | "different" | undefined {
  if (outcome.status === "running") return "stuck";
  const isDoubled = Object.entries(outcome.iterations).some(
    ([taskId, count]) => count > (expected.iterations[taskId] ?? 0),
  );
  if (isDoubled) return "doubled";
  return isDeepStrictEqual(outcome, expected) ? undefined : "different";
}
