import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller, type Caller } from "../../../src/core/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import { iterationId } from "../../../src/workflow-engine/jobs/iteration-id.ts";
import { manual } from "../../faults/shape-tasks.ts";
import type { EngineNode } from "../../support/engine-bench.ts";
import { openSharedNodes, type SharedNodes } from "../../support/shared-nodes.ts";
import { asShared } from "../../support/shared-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const person: Caller = { ...systemCaller, accountId: "p1", username: "person", isAdmin: false, groupIds: ["ours"] };
const by = { accountId: person.accountId, username: person.username };

describe("two nodes on one store", () => {
  let nodes: SharedNodes;
  let one: EngineNode;
  let other: EngineNode;
  /** Happens once, when node one has judged what it was asked for and is about to write. */
  let beforeCommit: () => Promise<unknown>;

  beforeEach(async () => {
    nodes = await openSharedNodes([workflowOf("sight", { b1: manual() }, ["start > b1", "b1 > end"])]);
    beforeCommit = async () => undefined;
    const commit: Store["commit"] = async (writes) => {
      const meanwhile = beforeCommit;
      beforeCommit = async () => undefined;
      await meanwhile();
      return nodes.store.commit(writes);
    };
    one = await nodes.start({ store: asShared(nodes.store, { commit }).store });
    other = await nodes.start();
  });
  afterEach(() => nodes.close());

  const start = async () => {
    const { state } = await one.engine.jobs.start("sight", { groups: ["ours"] }, systemCaller);
    return state.origin._id;
  };
  const viewed = async (jobId: string) => (await other.engine.jobs.view(jobId, systemCaller)).state;
  const regroup = (jobId: string, groups: string[]) =>
    other.engine.jobs.apply(jobId, { event: "group", change: "replace", groups, by: systemCaller }, systemCaller);
  const apply = (jobId: string, event: "cancel" | "pause" | "resume") =>
    one.engine.jobs.apply(jobId, { event, by }, person);

  const operations: Record<string, (jobId: string, taskId: string) => Promise<unknown>> = {
    claim: (_jobId, taskId) => one.engine.manualTasks.claim(taskId, person),
    finish: (jobId, taskId) => one.engine.manualTasks.finish(jobId, taskId, {}, person),
    cancel: (jobId) => apply(jobId, "cancel"),
    pause: (jobId) => apply(jobId, "pause"),
    watch: (jobId) => one.engine.sharing.setWatching([jobId], true, person),
  };

  it.each(Object.keys(operations))("%s does nothing once the job is out of sight by the other", async (operation) => {
    const jobId = await start();
    beforeCommit = () => regroup(jobId, ["others"]);
    await expect(operations[operation]!(jobId, iterationId(jobId, 1))).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await viewed(jobId)).toMatchObject({ status: "running", groups: ["others"], watchers: [], seq: 2 });
  });

  it("resume nothing that is out of sight by the other", async () => {
    const jobId = await start();
    await apply(jobId, "pause");
    beforeCommit = () => regroup(jobId, ["others"]);
    await expect(apply(jobId, "resume")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await viewed(jobId)).status).toBe("paused");
  });

  it("delete nothing that is out of sight by the other", async () => {
    const jobId = await start();
    await apply(jobId, "cancel");
    beforeCommit = () => regroup(jobId, ["others"]);
    await expect(one.engine.deletion.delete([jobId], person)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await viewed(jobId)).toMatchObject({ status: "canceled", groups: ["others"] });
  });

  it("let go on who keeps the sight of the job", async () => {
    const jobId = await start();
    beforeCommit = () => regroup(jobId, ["others", "ours"]);
    await apply(jobId, "cancel");
    expect(await viewed(jobId)).toMatchObject({ status: "canceled", groups: ["others", "ours"] });
  });
});
