import { describe, expect, it } from "vitest";
import { createGate, createRecorder, enqueue, eventually, workItem } from "./queue-harness.ts";
import type { CurrentHarness } from "./queue-suite.ts";

export function describeDueItems(harness: CurrentHarness): void {
  describe("items that are due", () => {
    it("run at once when they are due at once, with all they carry", async () => {
      const { store, createQueue, now } = harness();
      const queue = createQueue();
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      const item = { id: "a", kind: "timer", payload: { z: [1], a: null }, runAt: now() };
      await enqueue(store, queue, [item]);
      await queue.idle();
      expect(recorder.begun).toMatchObject([{ id: "a", kind: "timer", payload: { z: [1], a: null } }]);
      expect(await store.nextWorkAt()).toBeUndefined();
    });

    it("do not run before their time, and do when it has come", async () => {
      const { store, createQueue, now, passTime } = harness();
      const queue = createQueue();
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      await enqueue(store, queue, [workItem("a", now() + 2000)]);
      await passTime(1000);
      expect(recorder.begun).toEqual([]);
      await passTime(1000);
      await eventually(harness(), () => recorder.ended.length === 1);
    });

    it("run when they were committed before the queue began", async () => {
      const { store, createQueue, now } = harness();
      const queue = createQueue();
      await store.commit([queue.enqueue(workItem("a", now() - 10)), queue.enqueue(workItem("b", now()))]);
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      await queue.idle();
      expect(recorder.ended.sort()).toEqual(["a", "b"]);
    });

    it("run although another node committed them", async () => {
      const { store, createQueue, now } = harness();
      const queue = createQueue();
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      await store.commit([createQueue().enqueue(workItem("a", now()))]);
      await eventually(harness(), () => recorder.ended.length === 1);
    });

    it("run earliest first, no more at a time than allowed, until none is left", async () => {
      const { store, createQueue, now } = harness();
      const queue = createQueue({ concurrency: 3 });
      const start = now();
      const items = Array.from({ length: 40 }, (_, index) =>
        workItem(`i${String(index).padStart(2, "0")}`, start - 100 + index),
      );
      await store.commit(items.toReversed().map((item) => queue.enqueue(item)));
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      await queue.idle();
      expect(recorder.begun.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
      expect(recorder.most).toBeLessThanOrEqual(3);
    });

    it("take a place that becomes free at once, though others are busy", async () => {
      const { store, createQueue, now } = harness();
      const queue = createQueue({ concurrency: 2 });
      const slow = createGate();
      const allQuickRan = createGate();
      let quickRuns = 0;
      const recorder = createRecorder(store, async ({ id }) => {
        if (id === "slow") return slow.passed;
        quickRuns += 1;
        if (quickRuns === 5) allQuickRan.open();
      });
      await queue.start(recorder.run);
      const start = now();
      const quick = ["a", "b", "c", "d", "e"].map((id) => workItem(id, start));
      await enqueue(store, queue, [workItem("slow", start - 1), ...quick]);
      await allQuickRan.passed;
      slow.open();
      await queue.idle();
      expect(recorder.ended).toHaveLength(6);
    });

    it("are moved when they are enqueued again", async () => {
      const { store, createQueue, now, passTime } = harness();
      const queue = createQueue();
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      const start = now();
      await enqueue(store, queue, [workItem("later", start + 1000), workItem("sooner", start + 60_000)]);
      await enqueue(store, queue, [workItem("later", start + 60_000), workItem("sooner", start + 1000)]);
      await passTime(1000);
      await eventually(harness(), () => recorder.ended.length === 1);
      expect(recorder.ended).toEqual(["sooner"]);
    });

    it("never run when they are cancelled in time, or when their commit was refused", async () => {
      const { store, createQueue, now, passTime } = harness();
      const queue = createQueue();
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      const item = workItem("cancelled", now() + 1000);
      await enqueue(store, queue, [item]);
      await store.commit([queue.complete("cancelled")]);
      const refused = store.commit([
        queue.enqueue(workItem("refused", now())),
        { kind: "replace", collection: "jobs", document: { _id: "none" }, version: 1 },
      ]);
      await expect(refused).rejects.toThrow();
      await passTime(5000);
      await queue.idle();
      expect(recorder.begun).toEqual([]);
    });

    it("run once, however long it takes, on whatever node", async () => {
      const { store, createQueue, now, passTime, leaseMs } = harness();
      const gate = createGate();
      const recorder = createRecorder(store, () => gate.passed);
      const nodes = [createQueue(), createQueue()];
      for (const node of nodes) await node.start(recorder.run);
      await enqueue(store, nodes[0] ?? createQueue(), [workItem("a", now())]);
      await eventually(harness(), () => recorder.begun.length === 1);
      await passTime(leaseMs * 4);
      gate.open();
      for (const node of nodes) await node.idle();
      await passTime(leaseMs * 2);
      expect(recorder.begun).toHaveLength(1);
      expect(recorder.ended).toEqual(["a"]);
    });
  });
}
