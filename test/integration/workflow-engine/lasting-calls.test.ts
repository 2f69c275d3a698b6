import { afterEach, beforeEach, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { TaskResult } from "../../../src/core/task.ts";
import type { Store } from "../../../src/store/store.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { createEngineNode, storeWorkflows, type EngineNode } from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter" };

let clock: ManualClock;
let store: Store;
let node: EngineNode;
let called: Promise<void>;
let answer: (result: TaskResult) => void;

beforeEach(async () => {
  clock = createManualClock();
  store = await createCurrentStore();
  let tellCalled: () => void = () => undefined;
  called = new Promise((resolve) => (tellCalled = resolve));
  const answered = new Promise<TaskResult>((resolve) => (answer = resolve));
  const callOutside = async (): Promise<TaskResult> => {
    tellCalled();
    return answered;
  };
  node = createEngineNode({ store, clock, call: callOutside });
  await storeWorkflows(store, [workflowOf("call", { a1: call }, ["start > a1", "a1 > end"])]);
  await node.engine.start();
});
afterEach(async () => {
  answer({ finishState: "success", outgoing: {} });
  await node.engine.stop();
  await store.close();
});

/** The next change of the rows of tasks. */
function nextRowChange(): Promise<void> {
  return new Promise((resolve) => {
    const unwatch = store.watch((changes) => {
      if (!changes.some(({ collection }) => collection === "tasks")) return;
      unwatch();
      resolve();
    });
  });
}

const rows = (): Promise<object[]> => store.find("tasks", {}, { fields: { status: 1, taskId: 1, _id: 0 } });

it("a call is in the lists of tasks once it lasts a second, and no longer than it lasts", async () => {
  await node.engine.jobs.start("call", {}, systemCaller);
  await called;
  expect(await rows()).toEqual([]);
  const shown = nextRowChange();
  await clock.advance(1_000);
  await shown;
  expect(await rows()).toEqual([{ status: "running", taskId: "a1" }]);
  const hidden = nextRowChange();
  answer({ finishState: "success", outgoing: {} });
  await hidden;
  expect(await rows()).toEqual([]);
});

it("a call that ends at once has no row", async () => {
  answer({ finishState: "success", outgoing: {} });
  const { state } = await node.engine.jobs.start("call", {}, systemCaller);
  const ended = await node.engine.jobs.viewAtRest(state.origin._id, 1_000, systemCaller);
  expect(ended.state.status).toBe("complete");
  await clock.advance(5_000);
  expect(await rows()).toEqual([]);
});
