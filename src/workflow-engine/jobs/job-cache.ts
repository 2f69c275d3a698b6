import type { KnownJob } from "./job-size.ts";

/** Jobs in committed states, so that the usual activation reads nothing. */
export interface JobCache {
  get(jobId: string): KnownJob | undefined;
  put(job: KnownJob): void;
  drop(jobId: string): void;
}

/** How much a cache holds. */
export interface CacheBounds {
  states: number;
  bytes: number;
}

interface Entry {
  job: KnownJob;
  /** As it was counted: the size of the job grows on. */
  bytes: number;
}

/** A cache within both bounds: the jobs put longest ago go first. The newest stays, however large. */
export function createJobCache(most: CacheBounds): JobCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  const drop = (jobId: string): void => {
    bytes -= entries.get(jobId)?.bytes ?? 0;
    entries.delete(jobId);
  };

  return {
    get: (jobId) => entries.get(jobId)?.job,
    put(job) {
      const jobId = job.state.origin._id;
      drop(jobId);
      const entry = { job, bytes: job.size.bytes };
      entries.set(jobId, entry);
      bytes += entry.bytes;
      for (const oldest of entries.keys()) {
        if (oldest === jobId || (entries.size <= most.states && bytes <= most.bytes)) return;
        drop(oldest);
      }
    },
    drop,
  };
}
