import { afterEach, beforeEach, expect, it } from "vitest";
import { systemCaller, type Caller } from "../../../src/core/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import { iterationId } from "../../../src/workflow-engine/jobs/iteration-id.ts";
import type { JobService } from "../../../src/workflow-engine/jobs/job-service.ts";
import { createManualTaskService } from "../../../src/workflow-engine/jobs/manual-task-service.ts";
import { manual } from "../../faults/shape-tasks.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { createEngineNode, storeWorkflows, type EngineNode } from "../../support/engine-bench.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const person: Caller = { ...systemCaller, accountId: "p1", username: "person", isAdmin: false };
const callers = {
  byAccountId: async () => person,
  byUsername: async () => person,
  renew: async () => person,
};

let store: Store;
let node: EngineNode;

beforeEach(async () => {
  store = await createCurrentStore();
  node = createEngineNode({ store, clock: createManualClock() });
  await storeWorkflows(store, [workflowOf("sight", { b1: manual() }, ["start > b1", "b1 > end"])]);
  await node.engine.start();
});
afterEach(async () => {
  await node.engine.stop(0);
  await store.close();
});

it.each(["claim", "release", "assign"] as const)(
  "%s says that the task is not there when its job is taken out of sight meanwhile",
  async (operation) => {
    const { state } = await node.engine.jobs.start("sight", {}, systemCaller);
    const jobId = state.origin._id;
    const taskId = iterationId(jobId, 1);
    // Somebody is faster: after the look for the task, before the event.
    const jobs: JobService = {
      ...node.engine.jobs,
      async apply(jobId, event, caller) {
        const regroup = { event: "group", change: "replace", groups: ["others"], by: systemCaller } as const;
        await node.engine.jobs.apply(jobId, regroup, systemCaller);
        return node.engine.jobs.apply(jobId, event, caller);
      },
    };
    const tasks = createManualTaskService(store, jobs, callers);
    const asked = {
      claim: () => tasks.claim(taskId, person),
      release: () => tasks.release(taskId, person),
      assign: () => tasks.assign(taskId, { userId: "p1" }, person),
    };
    await expect(asked[operation]()).rejects.toMatchObject({ code: "NOT_FOUND", message: `Task ${taskId} not found` });
  },
);
