/** A row of the list of open tasks, as far as a person looks at it. */
export interface OpenTask {
  /** Identifier of the iteration. */
  _id: string;
  job: { _id: string; name: string; parent?: string };
  variables: { incoming: Record<string, unknown> };
}

/** What a person does with a manual task. */
export type Decision = { cancel: string } | { finish: "success" | "failure" };

/** Somebody who sees this number, or a smaller one, wants another round. */
const mostRoundsRefused = 1;

/**
 * The person of the laboratory. What it does follows from what it is shown alone, so that a decision
 * that has to be made again, because its answer was lost, is the same.
 */
export function decide({ job, variables }: OpenTask): Decision {
  const { body } = variables.incoming;
  if (body === "cancel" && job.parent !== undefined) return { cancel: job.parent };
  return { finish: typeof body === "number" && body <= mostRoundsRefused ? "failure" : "success" };
}
