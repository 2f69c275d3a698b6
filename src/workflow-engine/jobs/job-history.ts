import type { Caller } from "../../core/caller.ts";
import { notFound, PlatformError } from "../../core/errors.ts";
import { mayAccess } from "../../core/group-access.ts";
import { StoredValue } from "../../core/stored-value.ts";
import type { Store } from "../../store/store.ts";
import type { FindWorkflow } from "./job-log.ts";
import type { JobService, JobView } from "./job-service.ts";
import { descendantsOf } from "./job-tree.ts";
import { largeValueCollection, rootOfValue, type LargePart, type LargeValueDocument } from "./large-parts.ts";
import { createLargeValues } from "./large-values.ts";
import { shownHeader } from "./projections.ts";
import { evenPieces } from "./text-pieces.ts";
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
  /**
   * A large value as JSON text, piece by piece, by its marker. `jobId`: a job that the caller may see and whose log
   * refers to it; without, the job at the top of its tree, and for who may see all jobs of the tree any of them: a job
   * of it may have groups of its own. Otherwise NOT_FOUND.
   */
  largeValue(id: string, jobId: string | undefined, caller: Caller): Promise<AsyncIterable<string>>;
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
      const refusal =
        jobId === undefined ? `Large value ${id} not found` : `Large value ${id} of job ${jobId} not found`;
      if (jobId !== undefined) await jobs.view(jobId, caller);
      const job = jobId ?? (await seenRoot(jobs, id, caller, refusal));
      const isInSight = jobId === undefined && (await seesWholeTree(store, job, caller));
      if (!isInSight && !(await isReferred(store, await referredValues(store, job), id))) throw notFound(refusal);
      if ((await store.version(largeValueCollection, id)) === undefined) throw notFound(refusal);
      const place = { value: null as unknown };
      await restore([{ document: place, parts: [{ at: ["value"], id, size: 0 }] }]);
      return place.value instanceof StoredValue ? place.value.open() : evenPieces([JSON.stringify(place.value)]);
    },
  };
}

/** The job at the top of the tree that the value belongs to; NOT_FOUND when the caller may not see it. */
async function seenRoot(
  jobs: JobHistoryServices["jobs"],
  id: string,
  caller: Caller,
  refusal: string,
): Promise<string> {
  const root = rootOfValue(id);
  if (root === undefined) throw notFound(refusal);
  await jobs.view(root, caller).catch((error: unknown) => {
    throw error instanceof PlatformError && error.code === "NOT_FOUND" ? notFound(refusal) : error;
  });
  return root;
}

/** May the caller, who may see the root, see every job below it too? */
async function seesWholeTree(store: Store, root: string, caller: Caller): Promise<boolean> {
  if (caller.isAdmin) return true;
  for await (const { groups } of descendantsOf(store, root)) if (!mayAccess(groups, caller)) return false;
  return true;
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
