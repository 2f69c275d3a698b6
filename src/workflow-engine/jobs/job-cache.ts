import type { JobState } from "../interpreter/job-state.ts";

/** Committed states of jobs, so that the usual activation reads nothing. */
export interface JobCache {
  get(jobId: string): JobState | undefined;
  /** `bytes`: about how much memory the state takes. */
  put(state: JobState, bytes: number): void;
  drop(jobId: string): void;
}

/** How much a cache holds. */
export interface CacheBounds {
  states: number;
  bytes: number;
}

interface Entry {
  state: JobState;
  bytes: number;
}

/** A cache within both bounds: the states put longest ago go first. The newest stays, however large. */
export function createJobCache(most: CacheBounds): JobCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  const drop = (jobId: string): void => {
    bytes -= entries.get(jobId)?.bytes ?? 0;
    entries.delete(jobId);
  };

  return {
    get: (jobId) => entries.get(jobId)?.state,
    put(state, stateBytes) {
      const jobId = state.origin._id;
      drop(jobId);
      entries.set(jobId, { state, bytes: stateBytes });
      bytes += stateBytes;
      for (const oldest of entries.keys()) {
        if (oldest === jobId || (entries.size <= most.states && bytes <= most.bytes)) return;
        drop(oldest);
      }
    },
    drop,
  };
}
