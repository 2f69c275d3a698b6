import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../../src/core/logger.ts";
import type { StoreFaults } from "../../../src/store/faults.ts";
import type { Store, Write } from "../../../src/store/store.ts";
import { createDispatcher, type DispatcherOptions } from "../../../src/work-queue/dispatcher/dispatcher.ts";
import type { WorkQueue } from "../../../src/work-queue/work-queue.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";
import { createGate, createRecorder, enqueue, workItem } from "./queue-harness.ts";

const leaseMs = 5000;

describe("the dispatcher and its store", () => {
  let clock: ManualClock;
  let store: Store;
  let queue: WorkQueue;
  let commits: (readonly Write[])[];
  let isDown: boolean;
  let reads: number;
  let log: string[];

  const faults: StoreFaults = ({ phase, writes }) => {
    if (phase !== "before") return;
    if (isDown) throw new Error("no room");
    commits.push(writes);
  };
  const createQueue = (options: Partial<DispatcherOptions> = {}): WorkQueue => {
    const logger = createLogger("warn", (line) => log.push(line), clock.now);
    const counting: Store = Object.assign(Object.create(store) as Store, {
      claimWork: (now: number, until: number, limit: number) => {
        reads += 1;
        return store.claimWork(now, until, limit);
      },
      nextWorkAt: () => store.nextWorkAt(),
      commit: (writes: readonly Write[]) => store.commit(writes),
    });
    return createDispatcher({ store: counting, clock, logger, leaseMs, ...options });
  };

  beforeEach(async () => {
    clock = createManualClock();
    commits = [];
    isDown = false;
    reads = 0;
    log = [];
    store = await createTemporaryStore({ faults });
    queue = createQueue();
  });
  afterEach(async () => {
    await queue.stop(0);
    await store.close();
  });

  it("asks seldom while there is nothing to do", async () => {
    await queue.start(createRecorder(store).run);
    await enqueue(store, queue, [workItem("tomorrow", clock.now() + 86_400_000)]);
    reads = 0;
    await clock.advance(60_000);
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(60_000 / leaseMs + 1);
  });

  it("asks seldom while everything due runs here and is out of reach of the store", async () => {
    const gate = createGate();
    await queue.start(createRecorder(store, () => gate.passed).run);
    await enqueue(store, queue, [workItem("a", clock.now()), workItem("b", clock.now())]);
    await clock.advance(0);
    isDown = true;
    reads = 0;
    await clock.advance(60_000);
    expect(reads).toBeLessThanOrEqual(60_000 / 1000 + 1);
    gate.open();
    isDown = false;
    await clock.advance(120_000);
    await queue.idle();
    expect(await store.nextWorkAt()).toBeUndefined();
  });

  it("pushes all running twins ahead in one commit", async () => {
    const gate = createGate();
    await queue.start(createRecorder(store, () => gate.passed).run);
    const twins = Array.from({ length: 20 }, (_, index) => workItem(`i${index}`, clock.now() + leaseMs));
    await store.commit(twins.map((twin) => queue.enqueue(twin)));
    twins.forEach((twin) => queue.runLocally(twin));
    commits.length = 0;
    await clock.advance(leaseMs * 3);
    const pushes = commits.filter((writes) => writes.some(({ kind }) => kind === "postpone"));
    expect(pushes.length).toBeGreaterThan(0);
    expect(pushes.every((writes) => writes.length === 20)).toBe(true);
    gate.open();
    await queue.idle();
  });

  it("writes nothing more for a local run that ends in time", async () => {
    await queue.start(createRecorder(store).run);
    const twin = workItem("a", clock.now() + leaseMs);
    await store.commit([queue.enqueue(twin)]);
    commits.length = 0;
    queue.runLocally(twin);
    await queue.idle();
    expect(commits).toEqual([[{ kind: "complete", itemId: "a" }]]);
  });

  it("goes on by itself after the store was away", async () => {
    const recorder = createRecorder(store);
    await queue.start(recorder.run);
    const items = ["a", "b", "c"].map((id) => workItem(id, clock.now() + 1000));
    await enqueue(store, queue, items);
    isDown = true;
    await clock.advance(30_000);
    expect(recorder.begun).toEqual([]);
    isDown = false;
    await clock.advance(2000);
    expect(recorder.ended.sort()).toEqual(["a", "b", "c"]);
  });

  it("runs a failed item whose new time could not be written when its lease has ended", async () => {
    const recorder = createRecorder(store, async () => {
      isDown = true;
    });
    await queue.start(recorder.run);
    await enqueue(store, queue, [workItem("a", clock.now())]);
    await clock.advance(60_000);
    expect(recorder.begun.length).toBe(1);
    isDown = false;
    await clock.advance(2000);
    expect(recorder.begun.length).toBeGreaterThan(1);
    expect(log.some((line) => line.includes("could not be moved"))).toBe(true);
  });

  it("says which item failed, how often and why", async () => {
    await queue.start(async () => {
      throw new Error("device unreachable");
    });
    await enqueue(store, queue, [workItem("a", clock.now())]);
    await queue.idle();
    expect(JSON.parse(log[0] ?? "")).toMatchObject({
      level: "warn",
      id: "a",
      attempts: 1,
      delayMs: 250,
      error: "Error: device unreachable",
    });
  });

  it.each([3_600_000, -3_600_000, 86_400_000])(
    "runs each timer once when the time of day jumps by %i ms",
    async (jump) => {
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      const start = clock.now();
      await enqueue(
        store,
        queue,
        [1000, 5000, 60_000].map((ms) => workItem(`after ${ms}`, start + ms)),
      );
      await clock.advance(2000);
      clock.jump(jump);
      await clock.advance(leaseMs);
      expect(recorder.ended).toHaveLength(jump > 0 ? 3 : 1);
      await clock.advance(60_000 - Math.min(0, jump));
      expect(recorder.ended.sort()).toEqual(["after 1000", "after 5000", "after 60000"]);
    },
  );

  it("refuses to be started twice", async () => {
    const { run } = createRecorder(store);
    await queue.start(run);
    await expect(queue.start(run)).rejects.toThrow("started already");
  });

  it("leaves items alone before it is started, and runs them then", async () => {
    const recorder = createRecorder(store);
    const twin = workItem("a", clock.now() + leaseMs);
    await store.commit([queue.enqueue(twin)]);
    queue.runLocally(twin);
    await queue.idle();
    expect(recorder.begun).toEqual([]);
    await queue.start(recorder.run);
    await queue.idle();
    expect(recorder.ended).toEqual(["a"]);
  });

  it("runs what found no place as soon as there is one, however late the store hears of it", async () => {
    const gate = createGate();
    // The note that the item is due now reaches the store after the place became free.
    const late: Store = Object.assign(Object.create(store) as Store, {
      claimWork: (now: number, until: number, limit: number) => store.claimWork(now, until, limit),
      nextWorkAt: () => store.nextWorkAt(),
      async commit(writes: readonly Write[]) {
        if (writes.some((write) => write.kind === "postpone")) await gate.passed;
        await store.commit(writes);
      },
    });
    const full = createQueue({ store: late, concurrency: 1 });
    const recorder = createRecorder(store);
    await full.start(recorder.run);
    const twins = ["a", "b"].map((id) => workItem(id, clock.now() + leaseMs * 100));
    await store.commit(twins.map((twin) => full.enqueue(twin)));
    twins.forEach((twin) => full.runLocally(twin));
    await clock.advance(0);
    expect(recorder.ended).toEqual(["a"]);
    gate.open();
    await clock.advance(1);
    expect(recorder.ended).toEqual(["a", "b"]);
    await full.stop(0);
  });
});
