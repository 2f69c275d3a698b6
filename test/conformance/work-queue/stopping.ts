import { describe, expect, it } from "vitest";
import { createGate, createRecorder, enqueue, eventually, workItem } from "./queue-harness.ts";
import type { CurrentHarness } from "./queue-suite.ts";

export function describeStopping(harness: CurrentHarness): void {
  describe("stopping", () => {
    it("waits for what is under way and takes nothing new", async () => {
      const { store, createQueue, now, passTime } = harness();
      const queue = createQueue();
      const gate = createGate();
      const recorder = createRecorder(store, () => gate.passed);
      await queue.start(recorder.run);
      await enqueue(store, queue, [workItem("running", now())]);
      await eventually(harness(), () => recorder.begun.length === 1);
      const stopped = queue.stop(60_000);
      await enqueue(store, queue, [workItem("late", now())]);
      queue.runLocally(workItem("late", now()));
      await passTime(1000);
      gate.open();
      await stopped;
      expect(recorder.ended).toEqual(["running"]);
      await passTime(10_000);
      expect(recorder.begun).toHaveLength(1);
      expect(await store.nextWorkAt()).toBeDefined();
    });

    it("waits no longer than it may", async () => {
      const { store, createQueue, now, passTime } = harness();
      const queue = createQueue();
      const never = createGate();
      const recorder = createRecorder(store, () => never.passed);
      await queue.start(recorder.run);
      await enqueue(store, queue, [workItem("a", now())]);
      await eventually(harness(), () => recorder.begun.length === 1);
      let isStopped = false;
      const stopped = queue.stop(2000).then(() => {
        isStopped = true;
      });
      await passTime(1000);
      expect(isStopped).toBe(false);
      await passTime(1500);
      await stopped;
      never.open();
    });

    it("can be followed by a new start", async () => {
      const { store, createQueue, now } = harness();
      const queue = createQueue();
      const recorder = createRecorder(store);
      await queue.start(recorder.run);
      await queue.stop();
      await enqueue(store, queue, [workItem("a", now())]);
      await queue.start(recorder.run);
      await queue.idle();
      expect(recorder.ended).toEqual(["a"]);
    });

    it("is at rest when it never began", async () => {
      const { store, createQueue, now } = harness();
      const queue = createQueue();
      await enqueue(store, queue, [workItem("a", now())]);
      await queue.idle();
      await queue.stop();
      expect(await store.workItems("", 10)).toHaveLength(1);
    });
  });
}
