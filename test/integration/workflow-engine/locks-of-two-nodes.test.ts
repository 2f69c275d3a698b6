import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import {
  allIdle,
  createCounter,
  createEngineNode,
  passTime,
  storeWorkflows,
  type EngineNode,
} from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { asShared } from "../../support/shared-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter", name: "look" };
const manual = { type: "manual", name: "ViewData" };
const workflows = [
  workflowOf("crowd", { a1: { ...call, lock: "line" }, b1: { ...call, lock: "line" } }, [
    "start > a1",
    "start > b1",
    "a1 > end",
    "b1 > end",
  ]),
  workflowOf("hold", { a1: { ...manual, lock: "line" } }, ["start > a1", "a1 > end"]),
];

describe("locks of two nodes on one store", () => {
  let clock: ManualClock;
  let base: Store;
  let nodes: EngineNode[];
  let inside: number;
  let most: number;
  let made: number;

  beforeEach(async () => {
    clock = createManualClock();
    base = await createCurrentStore();
    [inside, most, made] = [0, 0, 0];
    const documentId = createCounter();
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      made += 1;
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      return { finishState: "success" as const, outgoing: {} };
    };
    nodes = [1, 2].map(() => createEngineNode({ store: asShared(base).store, clock, documentId, call: work }));
    await storeWorkflows(base, workflows);
    for (const { engine } of nodes) await engine.start();
  });
  afterEach(async () => {
    await Promise.all(nodes.map(({ engine }) => engine.stop(0)));
    await base.close();
  });

  const node = (n: number): EngineNode => nodes[n % nodes.length] as EngineNode;
  const start = async (n: number, workflow: string) =>
    (await node(n).engine.jobs.start(workflow, {}, systemCaller)).state.origin._id;
  const statusOf = async (n: number, jobId: string) =>
    (await node(n).engine.jobs.view(jobId, systemCaller)).state.status;

  it("let one task work at a time, whoever runs it, and forget nobody", async () => {
    const jobs = await Promise.all(Array.from({ length: 16 }, (_, n) => start(n, "crowd")));
    await passTime(clock, nodes, 5_000);
    expect([most, made]).toEqual([1, 32]);
    for (const [n, jobId] of jobs.entries()) expect(await statusOf(n + 1, jobId)).toBe("complete");
    expect((await node(0).engine.locks.list(0, 10)).total).toBe(0);
    expect(await base.workItems("", 100)).toEqual([]);
  });

  it("pass a lock on when the node that held it is gone", async () => {
    const holder = await start(0, "hold");
    await allIdle(nodes);
    const waiter = await start(1, "crowd");
    await allIdle(nodes);
    expect(made).toBe(0);
    await node(0).engine.stop(0);
    await node(1).engine.manualTasks.finish(holder, "a1", {}, systemCaller);
    await passTime(clock, [node(1)], 5_000);
    expect([made, await statusOf(1, waiter)]).toEqual([2, "complete"]);
  });
});
