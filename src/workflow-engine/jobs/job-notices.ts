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
  /** Resolves when the job next changes its status on this node, or after `mostMs`. */
  nextChange(jobId: string, mostMs: number): Promise<void>;
  /** True once nobody shall wait any more: the node is stopping. */
  isClosed(): boolean;
  /** Wakes everybody who waits. */
  close(): void;
}

/** Notices of one node. */
export function createJobNotices(clock: Clock): JobNotices {
  const listeners = new Set<JobListener>();
  const waiting = new Map<string, Set<() => void>>();

  let hasClosed = false;

  const publish = (topic: JobTopic, state: JobState): void => {
    for (const listener of listeners) listener(topic, state);
    const woken = waiting.get(state.origin._id);
    waiting.delete(state.origin._id);
    for (const wake of woken ?? []) wake();
  };

  return {
    publish,
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
        const wake = () => {
          cancelTimer();
          wakers.delete(wake);
          if (wakers.size === 0 && waiting.get(jobId) === wakers) waiting.delete(jobId);
          resolve();
        };
        wakers.add(wake);
      });
    },
  };
}
