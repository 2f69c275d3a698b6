import { largeValueMarker } from "../../core/stored-value.ts";
import type { Store } from "../../store/store.ts";
import type { JobState } from "../interpreter/job-state.ts";
import { beginState, replay, type FindWorkflow } from "./job-log.ts";
import { placeParts, type LargePart } from "./large-parts.ts";
import type { PartedDocument } from "./large-values.ts";
import { parseEvent, type LoggedEvent } from "./log-format.ts";

/** Puts large values, or what is to stand for them, where they were taken out. */
export type Restore = (documents: readonly PartedDocument[]) => Promise<void>;

export interface ReplayServices {
  store: Store;
  findWorkflow: FindWorkflow;
  restore: Restore;
}

/** Leaves large values where they are: their markers take their places. */
export const restoreMarkers: Restore = async (documents) => {
  for (const { document, parts } of documents) placeParts(document, parts, largeValueMarker);
};

const eventsAtOnce = 500;

/** The events of a log in order, a page at a time, from the one after `after` up to `until`. */
export async function* loggedEvents(
  { store, restore }: Pick<ReplayServices, "store" | "restore">,
  jobId: string,
  { after = 0, until = Number.POSITIVE_INFINITY }: { after?: number; until?: number } = {},
): AsyncGenerator<LoggedEvent[]> {
  for (let last = after; last < until;) {
    const limit = Math.min(eventsAtOnce, until - last);
    const rows = await store.wholeLog(jobId, { after: last, limit });
    const parsed = rows.map((row) => parseEvent(jobId, row));
    await restore(parsed.map(({ value, parts }) => ({ document: value.delta, parts })));
    if (parsed.length > 0) yield parsed.map(({ value }) => value);
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < limit) return;
  }
}

/** The state of a job after event `until`, or its last one before that, from its log alone; undefined for an unknown job. */
export async function stateAfter(
  services: ReplayServices,
  jobId: string,
  until?: number,
): Promise<JobState | undefined> {
  let state: JobState | undefined;
  for await (const events of loggedEvents(services, jobId, until === undefined ? {} : { until })) {
    state ??= await beginState(jobId, events, services.findWorkflow);
    if (!state) return undefined;
    state = replay(state, events, await services.findWorkflow(state.origin.snapshot));
  }
  return state;
}

/** Every large value that a log refers to by itself, each once. */
export async function referredValues(store: Store, jobId: string): Promise<Map<string, LargePart>> {
  const found = new Map<string, LargePart>();
  const restore: Restore = async (documents) => {
    for (const { parts } of documents) for (const part of parts) found.set(part.id, part);
  };
  for await (const _events of loggedEvents({ store, restore }, jobId));
  return found;
}
