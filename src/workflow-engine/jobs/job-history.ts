import type { Caller } from "../../core/caller.ts";
import { notFound } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";
import type { FindWorkflow } from "./job-log.ts";
import type { JobService, JobView } from "./job-service.ts";
import { largeValueCollection, type LargePart, type LargeValueDocument } from "./large-parts.ts";
import { createLargeValues } from "./large-values.ts";
import { shownHeader } from "./projections.ts";
import { loggedEvents, referredValues, restoreMarkers, stateAfter } from "./replay-log.ts";
import { followIterations, shownEvent, type CurrentIterations, type HistoryEntry } from "./shown-changes.ts";

export interface JobHistoryServices {
  store: Store;
  jobs: Pick<JobService, "view">;
  findWorkflow: FindWorkflow;
}

/** A page of what happened to a job. */
export interface HistoryPage {
  /** The header of the job as it is now. */
  job: object;
  entries: HistoryEntry[];
  /** Events in all. */
  total: number;
}

/** What happened to jobs, by their logs; within what the caller may see. NOT_FOUND for an unknown job. */
export interface JobHistory {
  /** Events after number `after`, at most `limit`, in order. Large values are shown by their markers. */
  page(jobId: string, page: { after: number; limit: number }, caller: Caller): Promise<HistoryPage>;
  /** The job just after one of its events; NOT_FOUND when it has no such event. */
  at(jobId: string, seq: number, caller: Caller): Promise<JobView>;
  /** A large value that the log of the job refers to, as JSON text. NOT_FOUND for any other. */
  largeValue(id: string, jobId: string, caller: Caller): Promise<string>;
}

/** The history of jobs over their logs. */
export function createJobHistory({ store, jobs, findWorkflow }: JobHistoryServices): JobHistory {
  const { restore } = createLargeValues(store);

  /** The iterations that tasks were in after an event. */
  const iterationsAfter = async (jobId: string, until: number): Promise<CurrentIterations> => {
    const current: CurrentIterations = new Map();
    for await (const events of loggedEvents({ store, restore: restoreMarkers }, jobId, { until }))
      for (const event of events) followIterations(current, event);
    return current;
  };

  return {
    async page(jobId, { after, limit }, caller) {
      const { state } = await jobs.view(jobId, caller);
      const current = await iterationsAfter(jobId, after);
      const entries: HistoryEntry[] = [];
      for await (const events of loggedEvents({ store, restore: restoreMarkers }, jobId, {
        after,
        until: after + limit,
      }))
        for (const event of events) entries.push(shownEvent(jobId, event, current));
      return { job: shownHeader(state), entries, total: state.seq };
    },
    async at(jobId, seq, caller) {
      const { state } = await jobs.view(jobId, caller);
      const then = seq <= state.seq ? await stateAfter({ store, findWorkflow, restore }, jobId, seq) : undefined;
      if (!then) throw notFound(`Job ${jobId} has no event ${seq}: its last one is ${state.seq}`);
      return { state: then, workflow: await findWorkflow(then.origin.snapshot) };
    },
    async largeValue(id, jobId, caller) {
      await jobs.view(jobId, caller);
      if (!(await isReferred(store, await referredValues(store, jobId), id)))
        throw notFound(`Large value ${id} of job ${jobId} not found`);
      const place = { value: null as unknown };
      await restore([{ document: place, parts: [{ at: ["value"], id, size: 0 }] }]);
      return JSON.stringify(place.value);
    },
  };
}

/** Is the value referred to, by the log itself or by a value that it refers to? */
async function isReferred(store: Store, referred: ReadonlyMap<string, LargePart>, id: string): Promise<boolean> {
  const seen = new Set(referred.keys());
  for (const each of seen) {
    if (each === id) return true;
    const stored = await store.read<LargeValueDocument>(largeValueCollection, each);
    // A set that grows while it is gone through is gone through to its end.
    for (const part of stored?.document.large ?? []) seen.add(part.id);
  }
  return false;
}
