import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { passTime, type EngineNode } from "../../support/engine-bench.ts";
import { openSharedNodes, type SharedNodes } from "../../support/shared-nodes.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const workflow = workflowOf(
  "waits",
  {
    a1: { name: "delay", type: "operation", incoming: { time: 60 } },
    b1: { app: "Outside", location: "Adapter", name: "look" },
  },
  ["start > a1", "a1 > b1", "b1 > end"],
);

describe("timers of paused jobs, on two nodes one after the other", () => {
  let nodes: SharedNodes;
  let calls: number;

  const startNode = (): Promise<EngineNode> =>
    nodes.start({
      call: async () => {
        calls += 1;
        return { finishState: "success", outgoing: {} };
      },
    });

  beforeEach(async () => {
    calls = 0;
    nodes = await openSharedNodes([workflow]);
  });
  afterEach(() => nodes.close());

  it("are held over the end of a node, and act when the job is resumed", async () => {
    const one = await startNode();
    const jobId = (await one.engine.jobs.start("waits", {}, systemCaller)).state.origin._id;
    await one.engine.jobs.apply(jobId, { event: "pause", by: systemCaller }, systemCaller);
    await passTime(nodes.clock, [one], 90_000);
    await one.engine.stop(0);
    const two = await startNode();
    const view = async () => (await two.engine.jobs.view(jobId, systemCaller)).state;
    await passTime(nodes.clock, [two], 5_000);
    expect([(await view()).status, (await view()).tasks.get("a1")?.status, calls]).toEqual(["paused", "running", 0]);
    expect(await nodes.store.workItems("", 10)).toEqual([]);
    await two.engine.jobs.apply(jobId, { event: "resume", by: systemCaller }, systemCaller);
    await passTime(nodes.clock, [two], 1_000);
    expect([(await view()).status, calls]).toEqual(["complete", 1]);
  });

  it("that are due later act in their time", async () => {
    const node = await startNode();
    const jobId = (await node.engine.jobs.start("waits", {}, systemCaller)).state.origin._id;
    await node.engine.jobs.apply(jobId, { event: "pause", by: systemCaller }, systemCaller);
    await passTime(nodes.clock, [node], 30_000);
    await node.engine.jobs.apply(jobId, { event: "resume", by: systemCaller }, systemCaller);
    await passTime(nodes.clock, [node], 20_000);
    expect(calls).toBe(0);
    await passTime(nodes.clock, [node], 15_000);
    expect(calls).toBe(1);
  });
});
