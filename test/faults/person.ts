import { anyone, eventSource, isLateTopic } from "./publisher.ts";

/** A row of the list of open tasks, as far as a person looks at it. */
export interface OpenTask {
  /** Identifier of the iteration. */
  _id: string;
  job: { _id: string; name: string; parent?: string };
  variables: { incoming: Record<string, unknown> };
}

/** What somebody outside does about a task that waits for a person or for an event. `publish`: the events of this topic. */
export type Decision = { cancel: string } | { publish: string } | { finish: "success" | "failure" };

/** Somebody who sees this number, or a smaller one, wants another round. */
const mostRoundsRefused = 1;

/**
 * The people of the laboratory. What they do follows from what they are shown alone, so that a decision
 * that has to be made again, because its answer was lost, is the same.
 */
export function decide({ job, variables: { incoming } }: OpenTask): Decision[] {
  const { body } = incoming;
  if ("topic" in incoming) return decideListener(incoming);
  if (body === "leave") return [];
  if (isLateTopic(body)) return [{ publish: body }];
  if (body === "cancel" && job.parent !== undefined) return [{ cancel: job.parent }];
  return [{ finish: typeof body === "number" && body <= mostRoundsRefused ? "failure" : "success" }];
}

function decideListener({ source, topic, schema }: Record<string, unknown>): Decision[] {
  if (source !== eventSource || !isLateTopic(topic)) return [];
  const isForPerson = (schema as { title?: unknown }).title === anyone;
  return [{ publish: topic }, ...(isForPerson ? [{ finish: "success" } as const] : [])];
}
