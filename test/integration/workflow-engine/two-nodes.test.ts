import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import type { TaskCall } from "../../../src/workflow-engine/index.ts";
import { createGate } from "../../conformance/work-queue/queue-harness.ts";
import { allIdle, passTime, type EngineNode } from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { openSharedNodes, type SharedNodes } from "../../support/shared-nodes.ts";
import { asShared, type SharedStore } from "../../support/shared-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const manual = { type: "manual", name: "ViewData" };
const call = { app: "Outside", location: "Adapter", name: "look", incoming: { n: "$var.job.n" } };
const delay = (seconds: number) => ({ name: "delay", type: "operation", incoming: { time: seconds } });
const child = {
  name: "childJob",
  type: "operation",
  incoming: { task: "", workflow: "two nodes child", variables: {}, data_array: "$var.job.list", loopType: "parallel" },
  outgoing: { job_details: "$var.job.details" },
};
const workflows = [
  workflowOf("two nodes manual", { a1: manual, a2: call }, ["start > a1", "a1 > a2", "a2 > end"]),
  workflowOf("two nodes calls", { a1: call, a2: call, a3: call }, ["start > a1", "a1 > a2", "a2 > a3", "a3 > end"]),
  workflowOf("two nodes timer", { a1: manual, a2: delay(60) }, ["start > a1", "start > a2", "a1 > end", "a2 > end"]),
  workflowOf("two nodes child", { a1: call, b1: manual }, ["start > a1", "a1 > b1", "b1 > end"]),
  workflowOf("two nodes parent", { c1: child }, ["start > c1", "c1 > end"]),
];

describe("two nodes on one store", () => {
  let clock: ManualClock;
  let base: Store;
  let nodes: SharedNodes;
  let shared: SharedStore;
  let one: EngineNode;
  let other: EngineNode;
  let calls: string[];

  const startNode = (name: string, store = shared.store): Promise<EngineNode> =>
    nodes.start({
      store,
      async call({ idempotencyKey }: TaskCall) {
        calls.push(`${name} ${idempotencyKey}`);
        return { finishState: "success", outgoing: {} };
      },
    });

  beforeEach(async () => {
    nodes = await openSharedNodes(workflows);
    ({ clock, store: base } = nodes);
    shared = asShared(base);
    calls = [];
    one = await startNode("one");
    other = await startNode("other");
  });
  afterEach(() => nodes.close());

  const start = async (node: EngineNode, name: string, variables = {}, waitMs = 0) => {
    const { state } = await node.engine.jobs.start(name, { variables }, systemCaller, waitMs);
    return state;
  };
  const finish = (node: EngineNode, jobId: string, task: string) =>
    node.engine.manualTasks.finish(jobId, task, {}, systemCaller);
  const view = async (node: EngineNode, jobId: string) => (await node.engine.jobs.view(jobId, systemCaller)).state;

  it("show the same job, whoever works on it", async () => {
    const { origin } = await start(one, "two nodes manual");
    expect((await view(other, origin._id)).tasks.get("a1")?.status).toBe("running");
    await finish(other, origin._id, "a1");
    await allIdle([one, other]);
    expect((await view(one, origin._id)).status).toBe("complete");
    expect(calls).toHaveLength(1);
  });

  it("read no log while a job stays where it is", async () => {
    const { origin } = await start(one, "two nodes calls");
    await allIdle([one]);
    expect(shared.logsRead).toEqual([]);
    expect((await view(one, origin._id)).status).toBe("complete");
    expect(calls.every((made) => made.startsWith("one "))).toBe(true);
  });

  it("make a call that a node with an older state of the job took over", async () => {
    const { origin } = await start(one, "two nodes manual");
    await view(other, origin._id);
    await one.engine.stop(0);
    await finish(one, origin._id, "a1");
    await passTime(clock, [other], 5_000);
    expect(calls.map((made) => made.split(" ")[0])).toEqual(["other"]);
    expect((await view(other, origin._id)).status).toBe("complete");
  });

  it("wake who waits on one node when another ends the job, before the next look", async () => {
    const { origin } = await start(one, "two nodes manual");
    const waiting = one.engine.jobs.viewAtRest(origin._id, 60_000, systemCaller);
    await new Promise((resolve) => setImmediate(resolve));
    await finish(other, origin._id, "a1");
    await allIdle([other]);
    expect((await waiting).state.status).toBe("complete");
    expect(clock.now()).toBe(createManualClock().now());
  });

  it("look again within a second when news are lost", async () => {
    const deaf = await startNode("deaf", asShared(base, { watch: () => () => undefined }).store);
    const { origin } = await start(one, "two nodes manual");
    let isTold = false;
    const waiting = deaf.engine.jobs.viewAtRest(origin._id, 60_000, systemCaller).finally(() => {
      isTold = true;
    });
    await finish(other, origin._id, "a1");
    await allIdle([other]);
    await clock.advance(900);
    expect(isTold).toBe(false);
    await clock.advance(200);
    expect((await waiting).state.status).toBe("complete");
  });

  it("answer a start that waits without reading what was just committed here", async () => {
    const waiting = start(one, "two nodes calls", {}, 60_000);
    expect((await waiting).status).toBe("complete");
    // One look after listening began; the end is told with its state.
    expect(shared.logsRead).toHaveLength(1);
  });

  it("fire a timer of a job that moved on elsewhere", async () => {
    const { origin } = await start(one, "two nodes timer");
    await finish(other, origin._id, "a1");
    await passTime(clock, [one, other], 61_000);
    expect((await view(one, origin._id)).status).toBe("complete");
    expect((await base.wholeLog(origin._id)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it("start children here and there, and tell their parent wherever it is", async () => {
    const list = [{ n: 1 }, { n: 2 }, { n: 3 }];
    const { origin } = await start(one, "two nodes parent", { list });
    await allIdle([one, other]);
    const children = await base.find<{ _id: string }>("jobs", { name: "two nodes child" });
    expect(children).toHaveLength(3);
    for (const [index, { _id }] of children.entries()) await finish(index === 1 ? one : other, _id, "b1");
    await allIdle([one, other]);
    const ended = await view(one, origin._id);
    expect(ended.status).toBe("complete");
    expect((ended.variables["details"] as { loop: unknown[] }).loop).toHaveLength(3);
    expect(new Set(calls).size).toBe(3);
  });

  it("start no child of a parent that was canceled elsewhere", async () => {
    await one.engine.stop(0);
    const { origin } = await start(one, "two nodes parent", { list: [{ n: 1 }, { n: 2 }] });
    await other.engine.jobs.apply(origin._id, { event: "cancel", by: systemCaller }, systemCaller);
    await passTime(clock, [other], 20_000);
    expect(await base.count("jobs", { name: "two nodes child", status: { $ne: "canceled" } })).toBe(0);
    expect(await base.workItems("", 10)).toEqual([]);
  });

  it("cancel a child that a node created while its parent was canceled, and died", async () => {
    let isDead = false;
    const died = createGate();
    const dying = asShared(base, {
      readLog: (...parameters) => (isDead ? Promise.reject(new Error("dead")) : base.readLog(...parameters)),
      async commit(writes) {
        if (isDead) throw new Error("dead");
        const isChild = writes.some((write) => write.kind === "appendEvent" && write.seq === 1) && calls.length === 0;
        if (isChild && (await base.count("jobs", {})) > 0) {
          const [parent] = await base.find<{ _id: string }>("jobs", {});
          await other.engine.jobs.apply(parent?._id ?? "", { event: "cancel", by: systemCaller }, systemCaller);
          await allIdle([other]);
          isDead = true;
        }
        await base.commit(writes);
        if (isChild && isDead) died.open();
      },
    });
    await one.engine.stop(0);
    const node = await startNode("dying", dying.store);
    await start(node, "two nodes parent", { list: [{ n: 1 }] });
    await died.passed;
    await passTime(clock, [other], 20_000);
    const jobs = await base.find<{ name: string; status: string }>("jobs", {}, { sort: { name: 1 } });
    expect(jobs.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "two nodes child canceled",
      "two nodes parent canceled",
    ]);
  });

  it("let a task be claimed once, whichever node is asked", async () => {
    const { origin } = await start(one, "two nodes manual");
    const [row] = await base.find<{ _id: string }>("tasks", { "job._id": origin._id });
    const taskId = row?._id ?? "";
    await other.engine.manualTasks.get(taskId, systemCaller);
    const ann = { ...systemCaller, accountId: "ann", username: "ann" };
    const bob = { ...systemCaller, accountId: "bob", username: "bob", isAdmin: false };
    const claims = await Promise.allSettled([
      one.engine.manualTasks.claim(taskId, ann),
      other.engine.manualTasks.claim(taskId, bob),
    ]);
    expect(claims.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(other.engine.manualTasks.release(taskId, { ...bob, accountId: "eve" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });
});
