import { setTimeout as pause } from "node:timers/promises";
import type { Store, WorkItem } from "../../src/store/store.ts";

/** What is done long after the jobs it belongs to have ended: it takes away what is kept for a while. */
const laterKinds = new Set(["sweepEvents", "removeJob", "retention"]);

/** Is this work to be done when the jobs have ended long ago? */
export function isForLater({ kind }: Pick<WorkItem, "kind">): boolean {
  return laterKinds.has(kind);
}

const pageSize = 500;

/** Work items of jobs that have not ended, at most `limit`. */
export async function workOfJobs(store: Store, limit: number): Promise<WorkItem[]> {
  return (await allWork(store)).filter((item) => !isForLater(item)).slice(0, limit);
}

/** Work items that take away later what is kept. */
export async function laterWork(store: Store): Promise<WorkItem[]> {
  return (await allWork(store)).filter(isForLater);
}

async function allWork(store: Store): Promise<WorkItem[]> {
  const items: WorkItem[] = [];
  for (let after = ""; ;) {
    const page = await store.workItems(after, pageSize);
    items.push(...page);
    const last = page.at(-1);
    if (!last) return items;
    after = last.id;
  }
}

/** Waits until nothing is left to do for jobs, though all have ended: the telling of it, and what is tried again. */
export async function untilWorkIsDone(openStore: () => Promise<Store>, mostMs: number): Promise<void> {
  const store = await openStore();
  try {
    for (const until = performance.now() + mostMs; performance.now() < until;) {
      if ((await workOfJobs(store, 1)).length === 0) return;
      await pause(100);
    }
  } finally {
    await store.close();
  }
}
