import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import { allIdle, passTime, type EngineNode } from "../../support/engine-bench.ts";
import type { ManualClock } from "../../support/manual-clock.ts";
import { openSharedNodes, type SharedNodes } from "../../support/shared-nodes.ts";
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
  workflowOf("gated", { m1: manual, a1: { ...call, lock: "$var.job.inner" } }, ["start > m1", "m1 > a1", "a1 > end"]),
  workflowOf(
    "section",
    {
      c1: {
        name: "childJob",
        type: "operation",
        lock: "$var.job.outer",
        incoming: {
          task: "",
          workflow: "gated",
          variables: { inner: { task: "job", value: "inner" } },
          data_array: "",
          transformation: "",
          loopType: "",
        },
      },
    },
    ["start > c1", "c1 > end"],
  ),
  workflowOf("hold", { a1: { ...manual, lock: "line" } }, ["start > a1", "a1 > end"]),
];

describe("locks of two nodes on one store", () => {
  let clock: ManualClock;
  let base: Store;
  let shared: SharedNodes;
  let nodes: EngineNode[];
  let inside: number;
  let most: number;
  let made: number;

  beforeEach(async () => {
    shared = await openSharedNodes(workflows);
    ({ clock, store: base } = shared);
    [inside, most, made] = [0, 0, 0];
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      made += 1;
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      return { finishState: "success" as const, outgoing: {} };
    };
    nodes = [await shared.start({ call: work }), await shared.start({ call: work })];
  });
  afterEach(() => shared.close());

  const node = (n: number): EngineNode => nodes[n % nodes.length] as EngineNode;
  const start = async (n: number, workflow: string, variables: Record<string, unknown> = {}) =>
    (await node(n).engine.jobs.start(workflow, { variables }, systemCaller)).state.origin._id;
  const statusOf = async (n: number, jobId: string) =>
    (await node(n).engine.jobs.view(jobId, systemCaller)).state.status;

  it("let one task work at a time, whoever runs it, and forget nobody", async () => {
    const jobs = await Promise.all(Array.from({ length: 16 }, (_, n) => start(n, "crowd")));
    await passTime(clock, nodes, 5_000);
    expect([most, made]).toEqual([1, 32]);
    for (const [n, jobId] of jobs.entries()) expect(await statusOf(n + 1, jobId)).toBe("complete");
    expect((await node(0).engine.locks.list(0, 10)).total).toBe(0);
    expect(await base.find("locks", {}, {})).toEqual([]);
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

  const childOf = async (jobId: string): Promise<string> => {
    const { state } = await node(0).engine.jobs.view(jobId, systemCaller);
    return state.tasks.get("c1")?.children?.at(0)?._id ?? "";
  };

  it("refuse a lock to the task that closes a circle, and name the circle", async () => {
    const one = await start(0, "section", { outer: "red", inner: "blue" });
    const other = await start(1, "section", { outer: "blue", inner: "red" });
    await passTime(clock, nodes, 1_000);
    const [inOne, inOther] = [await childOf(one), await childOf(other)];
    await node(0).engine.manualTasks.finish(inOne, "m1", {}, systemCaller);
    await passTime(clock, nodes, 1_000);
    const { results } = await node(1).engine.locks.list(0, 10);
    expect(results.find(({ key }) => key === "name:blue")?.waiters).toEqual([
      { job: inOne, task: "a1", iteration: expect.any(String) as string, within: ["name:red"] },
    ]);
    await node(1).engine.manualTasks.finish(inOther, "m1", {}, systemCaller);
    await passTime(clock, nodes, 1_000);
    const { state } = await node(0).engine.jobs.view(inOther, systemCaller);
    expect([state.status, JSON.stringify(state.errors)]).toEqual([
      "error",
      expect.stringContaining(
        `The lock name:red would never come: it is held by what surrounds task a1 of job ${inOne}, which waits for the lock name:blue, held by what surrounds this task`,
      ),
    ]);
    await node(0).engine.jobs.apply(other, { event: "cancel", by: systemCaller }, systemCaller);
    await passTime(clock, nodes, 5_000);
    expect(await statusOf(0, one)).toBe("complete");
    expect(await base.find("locks", {}, {})).toEqual([]);
  });

  it("let those for whom the queue has no place ask again", async () => {
    const holder = await start(0, "hold");
    await allIdle(nodes);
    const read = await base.read<{ _id: string; holder: unknown; queue: unknown[] }>("locks", "name:line");
    const crowd = Array.from({ length: 1_000 }, (_, n) => ({ job: `other ${n}`, task: "a1", iteration: 1 }));
    const write = (queue: unknown[]) =>
      base.commit([{ kind: "put", collection: "locks", document: { ...read?.document, queue } }]);
    await write(crowd);
    const waiter = await start(1, "crowd");
    await passTime(clock, nodes, 3_000);
    expect((await node(0).engine.locks.list(0, 1)).results[0]?.waiting).toBe(1_000);
    await write([]);
    await passTime(clock, nodes, 61_000);
    expect((await node(0).engine.locks.list(0, 1)).results[0]?.waiting).toBe(2);
    await node(1).engine.manualTasks.finish(holder, "a1", {}, systemCaller);
    await passTime(clock, nodes, 5_000);
    expect([made, await statusOf(1, waiter)]).toEqual([2, "complete"]);
  });
});
