import type { JobState } from "../interpreter/job-state.ts";

/** Committed states of jobs under way, so that the usual activation reads nothing. Bounded: the least recently used go first. */
export interface JobCache {
  get(jobId: string): JobState | undefined;
  put(state: JobState): void;
  drop(jobId: string): void;
}

/** A cache of at most `most` states. Ended jobs are not kept: nothing activates them again. */
export function createJobCache(most: number): JobCache {
  const states = new Map<string, JobState>();
  return {
    get: (jobId) => states.get(jobId),
    put(state) {
      const jobId = state.origin._id;
      states.delete(jobId);
      if (state.status === "complete" || state.status === "canceled") return;
      states.set(jobId, state);
      const oldest = states.keys().next();
      if (states.size > most && !oldest.done) states.delete(oldest.value);
    },
    drop: (jobId) => {
      states.delete(jobId);
    },
  };
}
