import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../../src/core/logger.ts";
import { StoreUnavailableError, type Store, type WorkItem, type Write } from "../../../src/store/store.ts";
import { createDispatcher, type DispatcherOptions } from "../../../src/work-queue/dispatcher/dispatcher.ts";
import type { WorkQueue } from "../../../src/work-queue/work-queue.ts";
import { createGate, createRecorder, workItem } from "../../conformance/work-queue/queue-harness.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";

const leaseMs = 2000;

/** A node with a clock of its own, so that it can be stopped while others go on. */
interface Node {
  clock: ManualClock;
  queue: WorkQueue;
}

describe("work of several nodes", () => {
  let store: Store;
  let nodes: Node[];

  beforeEach(async () => {
    store = await createTemporaryStore();
    nodes = [];
  });
  afterEach(async () => {
    await Promise.all(nodes.map(({ queue }) => queue.stop(0)));
    await store.close();
  });

  const createNode = (options: Partial<DispatcherOptions> = {}, clock = createManualClock()): Node => {
    const queue = createDispatcher({ store, clock, logger: silentLogger, leaseMs, ...options });
    const node = { clock, queue };
    nodes.push(node);
    return node;
  };
  const stored = () => store.workItems("", 1000);
  const runTwin = async ({ queue, clock }: Node, id: string): Promise<WorkItem> => {
    const twin = workItem(id, clock.now() + leaseMs);
    await store.commit([queue.enqueue(twin)]);
    queue.runLocally(twin);
    return twin;
  };
  /** The process is held for so long: it notices nothing, then all its timers are overdue. */
  const holdFor = (node: Node, ms: number): void => node.clock.jump(ms);

  it("is taken over within five seconds of a node's death, whenever it dies", async () => {
    let longest = 0;
    for (let livesMs = 0; livesMs < leaseMs * 2; livesMs += 130) {
      const clock = createManualClock();
      const survivor = createNode({}, clock);
      const survived = createRecorder(store);
      await survivor.queue.start(survived.run);
      await clock.advance(livesMs % 700);
      const dying = createNode({}, clock);
      await dying.queue.start(createRecorder(store, () => createGate().passed).run);
      await runTwin(dying, `a${livesMs}`);
      await clock.advance(livesMs);
      await dying.queue.stop(0);
      expect(survived.begun).toEqual([]);
      const diedAt = clock.now();
      while (survived.ended.length === 0) await clock.advance(20);
      longest = Math.max(longest, clock.now() - diedAt);
      await survivor.queue.stop(0);
    }
    expect(longest).toBeLessThan(5000);
    expect(longest).toBeGreaterThan(leaseMs / 2);
  });

  describe("of a node that was stopped for a minute and goes on", () => {
    let stopped: Node;
    let other: Node;
    let whileStopped: ReturnType<typeof createGate>;
    let onOther: ReturnType<typeof createGate>;
    let old: ReturnType<typeof createRecorder>;
    let taken: ReturnType<typeof createRecorder>;
    let failsLate: boolean;

    beforeEach(async () => {
      stopped = createNode();
      other = createNode();
      whileStopped = createGate();
      onOther = createGate();
      failsLate = false;
      old = createRecorder(store, async () => {
        await whileStopped.passed;
        if (failsLate) throw new Error("the connection is gone");
      });
      taken = createRecorder(store, () => onOther.passed);
      await stopped.queue.start(old.run);
      await other.queue.start(taken.run);
      await runTwin(stopped, "a");
      await other.clock.advance(60_000);
      expect(taken.begun.map(({ id }) => id)).toEqual(["a"]);
      holdFor(stopped, 60_000);
    });

    it("is left with the node that took it: no lease is renewed", async () => {
      const before = await stored();
      await stopped.clock.advance(leaseMs - 1);
      expect(await stored()).toEqual(before);
      onOther.open();
      whileStopped.open();
      await other.clock.advance(leaseMs);
      expect(taken.ended).toEqual(["a"]);
      expect(taken.begun).toHaveLength(1);
      expect(old.begun).toHaveLength(1);
      expect(await stored()).toEqual([]);
    });

    it("is not tried again because the late run fails", async () => {
      failsLate = true;
      const before = await stored();
      whileStopped.open();
      await stopped.clock.advance(500);
      expect(await stored()).toEqual(before);
      onOther.open();
      await other.clock.advance(leaseMs);
      await stopped.clock.advance(leaseMs * 2);
      expect([...old.begun, ...taken.begun]).toHaveLength(2);
      expect(await stored()).toEqual([]);
    });

    it("may end first there; then it ends once", async () => {
      whileStopped.open();
      await stopped.clock.advance(1);
      expect(old.ended).toEqual(["a"]);
      onOther.open();
      await other.clock.advance(leaseMs * 3);
      await stopped.clock.advance(leaseMs * 3);
      expect([...old.begun, ...taken.begun]).toHaveLength(2);
      expect(await stored()).toEqual([]);
    });
  });

  it("does not run where it was claimed when the node was stopped just then", async () => {
    const claimed = createGate();
    const late = createNode({
      store: {
        commit: (writes) => store.commit(writes),
        nextWorkAt: (kinds) => store.nextWorkAt(kinds),
        async claimWork(now, until, limit) {
          const items = await store.claimWork(now, until, limit);
          if (items.length > 0) await claimed.passed;
          return items;
        },
      },
    });
    const recorder = createRecorder(store);
    await store.commit([late.queue.enqueue(workItem("a", late.clock.now()))]);
    const started = late.queue.start(recorder.run);
    await late.clock.advance(0);
    const other = createNode();
    const taken = createRecorder(store);
    await other.queue.start(taken.run);
    await other.clock.advance(60_000);
    expect(taken.ended).toEqual(["a"]);
    holdFor(late, 60_000);
    claimed.open();
    await started;
    await late.clock.advance(leaseMs * 2);
    expect(recorder.begun).toEqual([]);
  });

  it("does not run where it was committed when that took longer than the lease, but where it is claimed", async () => {
    const slow = createNode();
    const other = createNode();
    const old = createRecorder(store);
    const gate = createGate();
    const taken = createRecorder(store, () => gate.passed);
    await slow.queue.start(old.run);
    const twin = workItem("a", slow.clock.now() + leaseMs);
    await store.commit([slow.queue.enqueue(twin)]);
    await other.clock.advance(leaseMs);
    await other.queue.start(taken.run);
    expect(taken.begun).toHaveLength(1);
    holdFor(slow, leaseMs);
    slow.queue.runLocally(twin);
    await slow.clock.advance(0);
    expect(old.begun).toEqual([]);
    gate.open();
    await other.clock.advance(0);
    expect(await stored()).toEqual([]);
  });

  it("keeps its lease although answers of the store were lost, written or not", async () => {
    let lost: "before" | "after" | undefined;
    const flaky = async (writes: readonly Write[]): Promise<void> => {
      const isRenewal = writes.every(({ kind }) => kind === "postpone");
      if (isRenewal && lost === "before") throw new StoreUnavailableError("no route");
      await store.commit(writes);
      if (isRenewal && lost === "after") throw new StoreUnavailableError("the answer was lost");
    };
    const here = createNode({
      store: {
        commit: flaky,
        nextWorkAt: (kinds) => store.nextWorkAt(kinds),
        // It must not need to be claimed again.
        claimWork: async () => [],
      },
    });
    const gate = createGate();
    const recorder = createRecorder(store, () => gate.passed);
    await here.queue.start(recorder.run);
    await runTwin(here, "a");
    for (const fault of ["after", "before", undefined, "before", "after", "after", undefined] as const) {
      lost = fault;
      await here.clock.advance(leaseMs / 3 + 1);
    }
    const [item] = await stored();
    expect(item?.runAt).toBeGreaterThan(here.clock.now() + leaseMs / 2);
    gate.open();
    await here.queue.idle();
    expect(recorder.begun).toHaveLength(1);
  });

  it("that a full node cannot place is soon taken by others, and by then they look often", async () => {
    const clock = createManualClock();
    const full = createNode({ concurrency: 1 }, clock);
    const free = createNode({}, clock);
    const blocked = createRecorder(store, () => createGate().passed);
    const takenAt: number[] = [];
    const taken = createRecorder(store, async () => {
      takenAt.push(clock.now());
    });
    await full.queue.start(blocked.run);
    await free.queue.start(taken.run);
    await runTwin(full, "first");
    const leftAt: number[] = [];
    for (let index = 0; index < 40; index++) {
      leftAt.push(clock.now());
      await runTwin(full, `i${index}`);
      await clock.advance(100);
    }
    await clock.advance(leaseMs);
    const waits = takenAt.map((at, index) => at - (leftAt[index] ?? 0));
    expect(taken.ended).toHaveLength(40);
    expect(Math.max(...waits)).toBeLessThanOrEqual(leaseMs);
    const later = waits.filter((_, index) => (leftAt[index] ?? 0) > (takenAt[0] ?? 0));
    expect(later.length).toBeGreaterThan(0);
    expect(Math.max(...later)).toBeLessThanOrEqual(leaseMs / 8);
  });

  it("is given back at once when the queue was stopped while it was being claimed", async () => {
    const claimed = createGate();
    const node = createNode({
      store: {
        commit: (writes) => store.commit(writes),
        nextWorkAt: (kinds) => store.nextWorkAt(kinds),
        async claimWork(now, until, limit) {
          const items = await store.claimWork(now, until, limit);
          await claimed.passed;
          return items;
        },
      },
    });
    const item = workItem("a", node.clock.now() - 5);
    await store.commit([node.queue.enqueue(item)]);
    const recorder = createRecorder(store);
    const started = node.queue.start(recorder.run);
    const stopped = node.queue.stop();
    claimed.open();
    await Promise.all([started, stopped]);
    expect(recorder.begun).toEqual([]);
    expect(await stored()).toEqual([item]);
  });
});

describe("places of a node", () => {
  it("are kept for local work while a backlog waits in the store, and for due work while local work floods in", async () => {
    const store = await createTemporaryStore();
    const clock = createManualClock();
    const queue = createDispatcher({ store, clock, logger: silentLogger, leaseMs });
    const backlog = Array.from({ length: 1000 }, (_, index) => workItem(`due ${index}`, clock.now() - 1000));
    await store.commit(backlog.map((item) => queue.enqueue(item)));
    const gate = createGate();
    const recorder = createRecorder(store, () => gate.passed);
    await queue.start(recorder.run);
    expect(recorder.begun).toHaveLength(192);
    const locals = Array.from({ length: 300 }, (_, index) => workItem(`local ${index}`, clock.now() + leaseMs));
    await store.commit(locals.map((item) => queue.enqueue(item)));
    locals.forEach((item) => queue.runLocally(item));
    expect(recorder.begun.filter(({ id }) => id.startsWith("local"))).toHaveLength(64);
    gate.open();
    await queue.idle();
    expect(new Set(recorder.ended).size).toBe(1300);
    expect(recorder.most).toBeLessThanOrEqual(256);
    await queue.stop();

    const flooded = createDispatcher({ store, clock, logger: silentLogger, leaseMs });
    let isFlooding = true;
    const busy = createRecorder(store, () => (isFlooding ? createGate().passed : Promise.resolve()));
    await flooded.start(busy.run);
    const flood = locals.slice(0, 256);
    await store.commit(flood.map((item) => flooded.enqueue(item)));
    flood.forEach((item) => flooded.runLocally(item));
    expect(busy.begun).toHaveLength(240);
    isFlooding = false;
    await store.commit([flooded.enqueue(workItem("timer", clock.now()))]);
    await clock.advance(leaseMs);
    expect(busy.ended).toHaveLength(17);
    expect(busy.ended).toContain("timer");
    await flooded.stop(0);
    await store.close();
  });
});
