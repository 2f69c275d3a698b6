import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { StoreUnavailableError, type Store, type Write } from "../../../src/store/store.ts";
import { allIdle, createEngineNode, storeWorkflows, type EngineNode } from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const outside = { app: "Outside", name: "change", location: "Adapter" };

describe("the result of a call, when it cannot be written", () => {
  let clock: ManualClock;
  let store: Store;
  let node: EngineNode;
  let calls: number;
  /** Results that are still to be refused. */
  let refused: number;

  beforeEach(async () => {
    clock = createManualClock();
    calls = 0;
    refused = 0;
    store = await createTemporaryStore({
      faults: ({ phase, writes }) => {
        const isResult = writes.some((write: Write) => write.kind === "complete") && writes.length > 1;
        if (phase !== "before" || !isResult || refused === 0) return;
        refused -= 1;
        throw new StoreUnavailableError("the disk is full");
      },
    });
    const call = async () => {
      calls += 1;
      return { finishState: "success" as const, outgoing: {} };
    };
    node = createEngineNode({ store, clock, call });
    await storeWorkflows(store, [workflowOf("one change", { a1: outside }, ["start > a1", "a1 > end"])]);
    await node.engine.start();
  });
  afterEach(async () => {
    await node.engine.stop(0);
    await store.close();
  });

  const start = async (): Promise<string> => {
    const { state } = await node.engine.jobs.start("one change", {}, systemCaller);
    return state.origin._id;
  };
  const statusOf = async (jobId: string) => (await node.engine.jobs.view(jobId, systemCaller)).state.status;

  it("is kept and written later, and the call is not made again", async () => {
    refused = 4;
    const jobId = await start();
    await clock.advance(5_000);
    await allIdle([node]);
    expect(await statusOf(jobId)).toBe("complete");
    expect(refused).toBe(0);
    expect(calls).toBe(1);
  });

  it("is given up after about a minute, and the call is made again when the store is back", async () => {
    refused = 30;
    const jobId = await start();
    await clock.advance(50_000);
    expect(await statusOf(jobId)).toBe("running");
    expect(calls).toBe(1);
    await clock.advance(30_000);
    await allIdle([node]);
    expect(await statusOf(jobId)).toBe("complete");
    expect(calls).toBe(2);
  });
});
