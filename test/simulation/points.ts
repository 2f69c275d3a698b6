import type { WorkQueue } from "../../src/work-queue/work-queue.ts";

/** Told that the process is at a moment with this name. */
export type Reach = (point: string) => void;

/** Counts moments by name, and kills the process at one of them. */
export interface KillPoints {
  reach: Reach;
  /** How often each was reached so far. */
  counts: ReadonlyMap<string, number>;
  /** From now on: SIGKILL when the point is reached that many times more. */
  arm(point: string, occurrence: number): void;
  /** From now on names stand for moments of work; before, `start: ` is put in front of them. */
  endStart(): void;
}

/** How the names of moments begin at which a process is not ready yet. */
export const startPrefix = "start: ";

/** Points of this process. The kernel ends it before `reach` returns: not one instruction follows. */
export function createKillPoints(): KillPoints {
  const counts = new Map<string, number>();
  let armed: { point: string; at: number } | undefined;
  let prefix = startPrefix;
  return {
    counts,
    reach(name) {
      const point = prefix + name;
      const count = (counts.get(point) ?? 0) + 1;
      counts.set(point, count);
      if (armed?.point === point && armed.at === count) process.kill(process.pid, "SIGKILL");
    },
    arm(point, occurrence) {
      armed = { point, at: (counts.get(point) ?? 0) + occurrence };
    },
    endStart() {
      prefix = "";
    },
  };
}

/** A queue that tells when work is handed to it, and when an item begins and ends. */
export function reachingQueue(queue: WorkQueue, reach: Reach): WorkQueue {
  return {
    enqueue: (item) => queue.enqueue(item),
    complete: (itemId) => queue.complete(itemId),
    stop: (graceMs) => queue.stop(graceMs),
    idle: () => queue.idle(),
    holdBack: (kinds) => queue.holdBack(kinds),
    committed(items) {
      for (const { kind } of items) reach(`before handing over ${kind}`);
      queue.committed(items);
      for (const { kind } of items) reach(`after handing over ${kind}`);
    },
    runLocally(item) {
      reach(`before handing over ${item.kind}`);
      queue.runLocally(item);
      reach(`after handing over ${item.kind}`);
    },
    start: (runner) =>
      queue.start(async (item) => {
        reach(`before running ${item.kind}`);
        await runner(item);
        reach(`after running ${item.kind}`);
      }),
  };
}
