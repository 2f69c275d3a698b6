import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import { createEngineNode, leaseMs, passTime, storeWorkflows, type EngineNode } from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { asShared } from "../../support/shared-store.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const delay = { name: "delay", type: "operation", incoming: { time: 60 } };
const manual = { type: "manual", name: "ViewData" };

describe("a log that a newer release wrote", () => {
  let clock: ManualClock;
  let store: Store;
  let node: EngineNode;
  let jobId: string;
  const refusal = { code: "UNAVAILABLE", message: expect.stringContaining("was written by a newer release") as string };

  beforeEach(async () => {
    clock = createManualClock();
    store = await createCurrentStore();
    node = createEngineNode({ store: asShared(store).store, clock });
    await storeWorkflows(store, [
      workflowOf("newer", { a1: manual, a2: delay }, ["start > a1", "start > a2", "a1 > end", "a2 > end"]),
    ]);
    await node.engine.start();
    ({ _id: jobId } = (await node.engine.jobs.start("newer", {}, systemCaller)).state.origin);
  });
  afterEach(async () => {
    await node.engine.stop(0);
    await store.close();
  });

  const view = async () => (await node.engine.jobs.view(jobId, systemCaller)).state;
  const append = (seq: number, delta: object) =>
    store.commit([{ kind: "appendEvent", jobId, seq, at: clock.now(), delta: JSON.stringify(delta) }]);
  const paused = { change: "status", status: "paused", at: 1 };

  it.each([
    ["an unknown change", { cause: { event: "x" }, changes: [paused, { change: "rewound", task: "a1" }] }],
    ["an unknown member", { cause: { event: "x" }, changes: [paused], signature: "s" }],
    ["a name of every object as change", { cause: { event: "x" }, changes: [paused, { change: "toString" }] }],
  ])("is refused whole because of %s", async (_what, delta) => {
    expect((await view()).status).toBe("running");
    await append(2, delta);
    await expect(view()).rejects.toMatchObject(refusal);
    // Nothing of it was taken over either: what the node remembers still ends where it knows the log.
    await expect(node.engine.manualTasks.finish(jobId, "a1", {}, systemCaller)).rejects.toMatchObject(refusal);
    expect(await store.read("jobs", jobId)).toMatchObject({ document: { status: "running" } });
  });

  it("is refused because of an unknown member of its snapshot", async () => {
    await append(2, { cause: { event: "x" }, changes: [paused] });
    await store.commit([{ kind: "putSnapshot", jobId, seq: 2, state: JSON.stringify({ origin: {}, moods: [] }) }]);
    await expect(view()).rejects.toMatchObject(refusal);
  });

  it("leaves its work to other nodes: tried again later, and not before", async () => {
    await append(2, { cause: { event: "x" }, changes: [{ change: "rewound" }] });
    await passTime(clock, [node], 60_500);
    const [item] = await store.workItems("", 10);
    expect(item).toMatchObject({ kind: "timer", attempts: expect.any(Number) as number });
    expect(item?.attempts).toBeGreaterThan(0);
    expect(item?.runAt).toBeGreaterThan(clock.now());
    expect((await store.wholeLog(jobId)).length).toBe(2);
    const other = await store.claimWork((item?.runAt ?? 0) + 1, clock.now() + leaseMs * 10, 10);
    expect(other.map(({ id }) => id)).toEqual([item?.id]);
  });

  it("is taken over where all of it is known", async () => {
    await append(2, { cause: { event: "x" }, changes: [paused] });
    expect((await view()).status).toBe("paused");
  });
});
