import { describe, expect, it } from "vitest";
import { createRecorder, enqueue, eventually, workItem } from "./queue-harness.ts";
import type { CurrentHarness } from "./queue-suite.ts";

export function describeRetries(harness: CurrentHarness): void {
  describe("runs that fail", () => {
    it("are tried again, later each time, with the attempts counted", async () => {
      const { store, createQueue, now } = harness();
      const queue = createQueue();
      const begunAt: number[] = [];
      const recorder = createRecorder(store, async () => {
        begunAt.push(now());
        if (begunAt.length < 5) throw new Error("not yet");
      });
      await queue.start(recorder.run);
      await enqueue(store, queue, [workItem("a", now())]);
      await eventually(harness(), () => recorder.ended.length === 1);
      expect(recorder.begun.map(({ attempts }) => attempts ?? 0)).toEqual([0, 1, 2, 3, 4]);
      expect(recorder.begun.every(({ payload }) => payload["of"] === "a")).toBe(true);
      const delays = begunAt.slice(1).map((at, index) => at - (begunAt[index] ?? 0));
      expect(delays.every((delay, index) => delay > (delays[index - 1] ?? 0))).toBe(true);
      expect(await store.nextWorkAt()).toBeUndefined();
    });

    it("do so too when they ran locally", async () => {
      const { store, createQueue, now, leaseMs } = harness();
      const queue = createQueue();
      let runs = 0;
      const recorder = createRecorder(store, async () => {
        runs += 1;
        if (runs === 1) throw new Error("not yet");
      });
      await queue.start(recorder.run);
      const twin = workItem("a", now() + leaseMs);
      await store.commit([queue.enqueue(twin)]);
      queue.runLocally(twin);
      await eventually(harness(), () => recorder.ended.length === 1);
      expect(recorder.begun.map(({ attempts }) => attempts ?? 0)).toEqual([0, 1]);
    });

    it("do not hold up other items", async () => {
      const { store, createQueue, now } = harness();
      const queue = createQueue({ concurrency: 1 });
      const recorder = createRecorder(store, async ({ id }) => {
        if (id === "bad") throw new Error("always");
      });
      await queue.start(recorder.run);
      await enqueue(store, queue, [workItem("bad", now()), workItem("good", now())]);
      await queue.idle();
      expect(recorder.ended).toEqual(["good"]);
      expect(recorder.begun.filter(({ id }) => id === "bad")).toHaveLength(1);
    });

    it("are not tried again when they were completed all the same", async () => {
      const { store, createQueue, now, passTime } = harness();
      const queue = createQueue();
      let runs = 0;
      await queue.start(async (item) => {
        runs += 1;
        await store.commit([queue.complete(item.id)]);
        throw new Error("after the commit");
      });
      await enqueue(store, queue, [workItem("a", now())]);
      await queue.idle();
      await passTime(60_000);
      expect(runs).toBe(1);
    });
  });
}
