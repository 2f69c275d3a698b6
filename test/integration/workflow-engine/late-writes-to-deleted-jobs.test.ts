import { describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { createGate } from "../../conformance/work-queue/queue-harness.ts";
import { manual } from "../../faults/shape-tasks.ts";
import { allIdle, passTime } from "../../support/engine-bench.ts";
import { openSharedNodes } from "../../support/shared-nodes.ts";
import { asShared } from "../../support/shared-store.ts";
import { nothing, remains } from "../../support/store-remains.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const workflows = [
  workflowOf("deleted manual", { a1: manual() }, ["start > a1", "a1 > end"]),
  workflowOf("deleted call", { a1: { app: "Outside", location: "Adapter", name: "ask" } }, ["start > a1", "a1 > end"]),
];

describe("a job that was deleted", () => {
  it("takes no late result, though its log is gone and a node remembers it", async () => {
    const nodes = await openSharedNodes(workflows);
    const { clock, store } = nodes;
    const answered = createGate();
    const call = async () => {
      await answered.passed;
      return { finishState: "success", outgoing: { result: 1 } } as const;
    };
    const slow = await nodes.start({ call });
    const other = nodes.make({ call });
    const { state } = await slow.engine.jobs.start("deleted call", {}, systemCaller);
    const jobId = state.origin._id;
    // The call goes on there, but the node stands still for everything else.
    await slow.engine.stop(0);
    await other.engine.jobs.apply(jobId, { event: "cancel", by: systemCaller }, systemCaller);
    await other.engine.deletion.delete([jobId], systemCaller);
    await other.engine.start();
    await passTime(clock, [other], 5_000);
    clock.jump(3_600_000);
    await passTime(clock, [other], 5_000);
    expect(await remains(store)).toEqual(nothing);
    answered.open();
    await allIdle([slow, other]);
    await passTime(clock, [other], 5_000);
    expect(await remains(store)).toEqual(nothing);
    await nodes.close();
  });

  it.each(["commit", "readLog"] as const)(
    "lets nobody write whose %s is held up until its log is gone",
    async (name) => {
      const nodes = await openSharedNodes(workflows);
      const { clock, store } = nodes;
      const [asked, answered] = [createGate(), createGate()];
      let isHeld = false;
      const held = async (...parameters: never) => {
        if (isHeld) {
          asked.open();
          await answered.passed;
        }
        return Reflect.apply(store[name], store, parameters);
      };
      const slow = nodes.make({ store: asShared(store, { [name]: held }).store });
      const other = await nodes.start();
      const { state } = await other.engine.jobs.start("deleted manual", {}, systemCaller);
      const jobId = state.origin._id;
      await slow.engine.jobs.view(jobId, systemCaller);
      isHeld = true;
      const late = slow.engine.jobs
        .apply(jobId, { event: "watch", watchers: ["w"], by: systemCaller }, systemCaller)
        .catch(String);
      await asked.passed;
      await other.engine.jobs.apply(jobId, { event: "cancel", by: systemCaller }, systemCaller);
      await other.engine.deletion.delete([jobId], systemCaller);
      await passTime(clock, [other], 5_000);
      clock.jump(3_600_000);
      await passTime(clock, [other], 5_000);
      answered.open();
      expect(await late).toContain("not found");
      expect(await remains(store)).toEqual(nothing);
      expect(await store.wholeLog(jobId)).toEqual([]);
      await nodes.close();
    },
  );

  it("lets nobody write who goes by an older state of it", async () => {
    const nodes = await openSharedNodes(workflows);
    const { store } = nodes;
    const [one, other] = [await nodes.start(), await nodes.start()];
    const { state } = await one.engine.jobs.start("deleted manual", {}, systemCaller);
    const jobId = state.origin._id;
    await other.engine.jobs.view(jobId, systemCaller);
    await one.engine.jobs.apply(jobId, { event: "cancel", by: systemCaller }, systemCaller);
    await one.engine.deletion.delete([jobId], systemCaller);
    const before = await store.wholeLog(jobId);
    const events = [
      { event: "watch", watchers: ["w"], by: systemCaller },
      { event: "cancel", by: systemCaller },
      { event: "delete", by: systemCaller },
    ] as const;
    for (const event of events)
      await expect(other.engine.jobs.apply(jobId, event, systemCaller)).rejects.toThrow("not found");
    expect(await store.wholeLog(jobId)).toEqual(before);
    expect(await store.count("jobs", {})).toBe(0);
    await nodes.close();
  });
});
