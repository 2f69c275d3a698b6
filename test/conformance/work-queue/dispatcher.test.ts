import { silentLogger } from "../../../src/core/logger.ts";
import { createDispatcher } from "../../../src/work-queue/dispatcher/dispatcher.ts";
import type { WorkQueue } from "../../../src/work-queue/work-queue.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";
import type { QueueHarness } from "./queue-harness.ts";
import { describeWorkQueue } from "./queue-suite.ts";

const leaseMs = 5000;

async function createHarness(): Promise<QueueHarness> {
  const clock = createManualClock();
  const store = await createTemporaryStore({ clock });
  const queues: WorkQueue[] = [];
  return {
    store,
    leaseMs,
    now: clock.now,
    passTime: clock.advance,
    createQueue(options) {
      const queue = createDispatcher({ store, clock, logger: silentLogger, leaseMs, ...options });
      queues.push(queue);
      return queue;
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.stop(0)));
      await store.close();
    },
  };
}

describeWorkQueue("the dispatcher on SQLite", createHarness);
