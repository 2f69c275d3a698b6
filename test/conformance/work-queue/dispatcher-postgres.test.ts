import { describe } from "vitest";
import { silentLogger } from "../../../src/core/logger.ts";
import { createPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createDispatcher, type DispatcherOptions } from "../../../src/work-queue/dispatcher/dispatcher.ts";
import type { WorkQueue } from "../../../src/work-queue/work-queue.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createStoreObserver } from "../../support/observed-store.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";
import { describeWorkQueue } from "./queue-suite.ts";

type NodeStore = DispatcherOptions["store"];

const leaseMs = 5000;

/** Time is a manual clock's for the queues only: the server answers in real time, and the clock waits for it. */
async function createHarness(storeOfNode: (shared: Store, open: () => Promise<Store>) => NodeStore) {
  const observer = createStoreObserver();
  const clock = createManualClock(undefined, observer.settle);
  const database = await createTemporaryDatabase();
  const stores: Promise<Store>[] = [];
  const open = (): Promise<Store> => {
    const opening = createPostgresStore({ url: database.url });
    stores.push(opening);
    return opening;
  };
  const store = observer.observe(await open());
  const queues: WorkQueue[] = [];
  return {
    store,
    leaseMs,
    now: clock.now,
    passTime: clock.advance,
    createQueue(options: { concurrency?: number } = {}): WorkQueue {
      const ofNode = observer.observe(storeOfNode(store, open));
      const queue = createDispatcher({ store: ofNode, clock, logger: silentLogger, leaseMs, ...options });
      queues.push(queue);
      return queue;
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.stop(0)));
      await Promise.all(stores.map(async (store) => (await store).close()));
      await database.remove();
    },
  };
}

/** Connections of its own, as a node in another process has them. */
function openNow(open: () => Promise<Store>): NodeStore {
  const opening = open();
  return {
    claimWork: async (...args) => (await opening).claimWork(...args),
    commit: async (...args) => (await opening).commit(...args),
    nextWorkAt: async () => (await opening).nextWorkAt(),
  };
}

describe.skipIf(!(await isPostgresAvailable()))("on PostgreSQL", () => {
  describeWorkQueue("of nodes in one process", () => createHarness((shared) => shared));
  describeWorkQueue("of nodes in processes of their own", () => createHarness((_, open) => openNow(open)));
});
