import { describe, expect, it } from "vitest";
import { createGate, createRecorder, eventually, workItem } from "./queue-harness.ts";
import type { CurrentHarness } from "./queue-suite.ts";

export function describeLocalRuns(harness: CurrentHarness): void {
  describe("items that run where they were committed", () => {
    it("run at once, and not again when their twin's time comes", async () => {
      const { store, createQueue, now, passTime, leaseMs } = harness();
      const queue = createQueue();
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      const twin = workItem("a", now() + leaseMs);
      await store.commit([queue.enqueue(twin)]);
      queue.runLocally(twin);
      expect(recorder.begun).toEqual([twin]);
      await queue.idle();
      expect(await store.nextWorkAt()).toBeUndefined();
      await passTime(leaseMs * 2);
      expect(recorder.begun).toHaveLength(1);
    });

    it("keep their twin ahead of its time for as long as they run", async () => {
      const { store, createQueue, now, passTime, leaseMs } = harness();
      const gate = createGate();
      const here = createQueue();
      const elsewhere = createQueue();
      const recorder = createRecorder(store, () => gate.passed);
      await here.start(recorder.run);
      await elsewhere.start(recorder.run);
      const twins = Array.from({ length: 10 }, (_, index) => workItem(`i${index}`, now() + leaseMs));
      await store.commit(twins.map((twin) => here.enqueue(twin)));
      twins.forEach((twin) => here.runLocally(twin));
      twins.forEach((twin) => here.runLocally(twin));
      await passTime(leaseMs * 5);
      expect(recorder.begun).toHaveLength(10);
      gate.open();
      await here.idle();
      await elsewhere.idle();
      await passTime(leaseMs * 2);
      expect(recorder.begun).toHaveLength(10);
      expect(recorder.ended).toHaveLength(10);
      expect(await store.nextWorkAt()).toBeUndefined();
    });

    it("do not come back when they are completed while their twin is being pushed ahead", async () => {
      const { store, createQueue, now, passTime, leaseMs } = harness();
      const queue = createQueue();
      const gates = Array.from({ length: 5 }, createGate);
      const recorder = createRecorder(store, (item) => gates[Number(item.id)]?.passed ?? Promise.resolve());
      await queue.start(recorder.run);
      const twins = gates.map((_, index) => workItem(String(index), now() + leaseMs));
      await store.commit(twins.map((twin) => queue.enqueue(twin)));
      twins.forEach((twin) => queue.runLocally(twin));
      for (const gate of gates) {
        const passing = passTime(leaseMs / 2);
        gate.open();
        await passing;
      }
      await queue.idle();
      await passTime(leaseMs * 3);
      expect(recorder.begun).toHaveLength(5);
      expect(await store.nextWorkAt()).toBeUndefined();
    });

    it("that find no place are left to the queue, due at once", async () => {
      const { store, createQueue, now, leaseMs } = harness();
      const gate = createGate();
      const full = createQueue({ concurrency: 2 });
      const free = createQueue();
      const blocked = createRecorder(store, () => gate.passed);
      const others = createRecorder(store);
      await full.start(blocked.run);
      await free.start(others.run);
      const twins = ["a", "b", "c", "d"].map((id) => workItem(id, now() + leaseMs * 100));
      await store.commit(twins.map((twin) => full.enqueue(twin)));
      twins.forEach((twin) => full.runLocally(twin));
      await eventually(harness(), () => others.ended.length === 2);
      expect(blocked.begun.map(({ id }) => id)).toEqual(["a", "b"]);
      expect(others.ended.sort()).toEqual(["c", "d"]);
      gate.open();
      await full.idle();
      expect(await store.nextWorkAt()).toBeUndefined();
    });

    it("that found no place run here once there is one", async () => {
      const { store, createQueue, now, leaseMs } = harness();
      const queue = createQueue({ concurrency: 2 });
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      const twins = Array.from({ length: 30 }, (_, index) => workItem(`i${index}`, now() + leaseMs));
      await store.commit(twins.map((twin) => queue.enqueue(twin)));
      twins.forEach((twin) => queue.runLocally(twin));
      await queue.idle();
      expect(new Set(recorder.ended).size).toBe(30);
      expect(recorder.begun).toHaveLength(30);
      expect(recorder.most).toBeLessThanOrEqual(2);
    });

    it("are taken over by another node after their node died", async () => {
      const { store, createQueue, now, passTime, leaseMs } = harness();
      const dying = createQueue();
      const never = createGate();
      const lost = createRecorder(store, () => never.passed);
      await dying.start(lost.run);
      const twin = workItem("a", now() + leaseMs);
      await store.commit([dying.enqueue(twin)]);
      dying.runLocally(twin);
      await passTime(leaseMs * 2);
      await dying.stop(0);
      const survivor = createQueue();
      const recorder = createRecorder(store);
      await survivor.start(recorder.run);
      expect(recorder.begun).toEqual([]);
      await passTime(leaseMs + leaseMs / 2);
      await eventually(harness(), () => recorder.ended.length === 1);
      never.open();
    });
  });
}
