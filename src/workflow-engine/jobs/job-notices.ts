import type { Clock } from "../../core/clock.ts";
import type { JobTopic } from "../interpreter/draft.ts";
import type { JobState } from "../interpreter/job-state.ts";

/** Told when something happened to a job on this node. */
export type JobListener = (topic: JobTopic, state: JobState) => void;

/** Who wants to hear of jobs, on this node. */
export interface JobNotices {
  publish(topic: JobTopic, state: JobState): void;
  /** Hears of every job; the returned function ends it. */
  listen(listener: JobListener): () => void;
  /** Resolves when the job next changes its status, or after `mostMs`; with the new state when this node changed it. */
  nextChange(jobId: string, mostMs: number): Promise<JobState | undefined>;
  /** The job may have changed its status on another node. */
  wake(jobId: string): void;
  /** True once nobody shall wait any more: the node is stopping. */
  isClosed(): boolean;
  /** Wakes everybody who waits. */
  close(): void;
}

/** Notices of one node. */
export function createJobNotices(clock: Clock): JobNotices {
  const listeners = new Set<JobListener>();
  const waiting = new Map<string, Set<(state?: JobState) => void>>();

  let hasClosed = false;

  const wakeAll = (jobId: string, state?: JobState): void => {
    const woken = waiting.get(jobId);
    waiting.delete(jobId);
    for (const wake of woken ?? []) wake(state);
  };

  return {
    publish(topic, state) {
      for (const listener of listeners) listener(topic, state);
      wakeAll(state.origin._id, state);
    },
    wake: (jobId) => wakeAll(jobId),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isClosed: () => hasClosed,
    close() {
      hasClosed = true;
      for (const wakers of waiting.values()) for (const wake of wakers) wake();
    },
    nextChange(jobId, mostMs) {
      return new Promise((resolve) => {
        const wakers = waiting.get(jobId) ?? new Set();
        waiting.set(jobId, wakers);
        const cancelTimer = clock.after(mostMs, () => wake());
        const wake = (state?: JobState) => {
          cancelTimer();
          wakers.delete(wake);
          if (wakers.size === 0 && waiting.get(jobId) === wakers) waiting.delete(jobId);
          resolve(state);
        };
        wakers.add(wake);
      });
    },
  };
}
