import type { Store } from "../../store/store.ts";
import type { JobNotices } from "./job-notices.ts";

/** Hears of jobs that other nodes changed. */
export interface ChangesElsewhere {
  /** Begins to wake those who wait for such jobs. */
  start(): void;
  stop(): void;
  /** To be told in the turn in which a commit of this node is durable: whose headers it wrote, each as often as it did. */
  wroteHere(jobIds: readonly string[]): void;
}

/**
 * Changes elsewhere on a store. Its feed tells of all changes, those of this node first and in the same
 * turn; they are taken off, because whoever waits here is told of them with the new state already. On a
 * store of its own a node hears of everything anyway.
 */
export function createChangesElsewhere(store: Store, notices: Pick<JobNotices, "wake">): ChangesElsewhere {
  /** Changes of this turn by job, without those made here. */
  let changes: Map<string, number> | undefined;
  let endWatch: () => void = () => undefined;

  const count = (jobId: string, by: 1 | -1): void => {
    changes?.set(jobId, (changes.get(jobId) ?? 0) + by);
  };

  const flush = (): void => {
    const counted = changes ?? [];
    changes = undefined;
    for (const [jobId, times] of counted) if (times > 0) notices.wake(jobId);
  };

  return {
    start() {
      if (!store.isShared) return;
      endWatch = store.watch((changed) => {
        for (const { collection, id } of changed) {
          if (collection !== "jobs") continue;
          if (!changes) setImmediate(flush);
          changes ??= new Map();
          count(id, 1);
        }
      });
    },
    stop: () => endWatch(),
    wroteHere: (jobIds) => jobIds.forEach((jobId) => count(jobId, -1)),
  };
}
