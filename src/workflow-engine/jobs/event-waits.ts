import { eventOf } from "../interpreter/wait-any.ts";
import type { EventFilter } from "../interpreter/event-filter.ts";
import type { TaskState } from "../interpreter/job-state.ts";
import { iterationId } from "./iteration-id.ts";
import type { ProjectionWrite } from "./projections.ts";

/** Read model of the tasks that wait for events: how an event finds them. */
export const eventWaitCollection = "event_waits";

/** A task that waits for an event, under the identifier of its iteration. */
export interface EventWaitRow extends EventFilter {
  _id: string;
  job: string;
  task: string;
  iteration: number;
}

/** Writes that bring the rows of one task from an earlier state of it to a later one. */
export function eventWaitWrites(
  job: string,
  task: string,
  { before, after }: { before: TaskState | undefined; after: TaskState },
): ProjectionWrite[] {
  const earlier = before && openFilter(before);
  const later = openFilter(after);
  if (!earlier && !later) return [];
  const writes: ProjectionWrite[] = [];
  const isSame = before?.iteration === after.iteration && later !== undefined;
  if (before && earlier && !isSame) {
    writes.push({ kind: "remove", collection: eventWaitCollection, id: iterationId(job, before.iteration) });
  }
  if (later && earlier !== later) {
    const row: EventWaitRow = {
      _id: iterationId(job, after.iteration),
      job,
      task,
      iteration: after.iteration,
      ...later,
    };
    writes.push({ kind: "put", collection: eventWaitCollection, document: row });
  }
  return writes;
}

function openFilter({ status, wait }: TaskState): EventFilter | undefined {
  return status === "running" ? eventOf(wait) : undefined;
}
