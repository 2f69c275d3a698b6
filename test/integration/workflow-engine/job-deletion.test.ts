import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { StoreFaults } from "../../../src/store/index.ts";
import type { Store } from "../../../src/store/store.ts";
import { rebuildProjections } from "../../../src/workflow-engine/index.ts";
import { childJob, manual } from "../../faults/shape-tasks.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { allIdle, createEngineNode, passTime, storeWorkflows } from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson } from "../../support/search-people.ts";
import { openSharedNodes } from "../../support/shared-nodes.ts";
import { nothing, remains } from "../../support/store-remains.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const large = "A line of a value that is large. ".repeat(9_000);
const hold = { name: "newVariable", type: "operation", incoming: { name: "own", value: "$var.job.body" } };
const plain = childJob("deleted child", "parallel");
const child = { ...plain, incoming: { ...plain.incoming, variables: { body: { task: "job", value: "body" } } } };

const workflows = [
  workflowOf("deleted plain", { b1: hold }, ["start > b1", "b1 > end"]),
  workflowOf("deleted manual", { a1: manual() }, ["start > a1", "a1 > end"]),
  workflowOf("deleted child", { c1: childJob("deleted plain", "") }, ["start > c1", "c1 > end"]),
  workflowOf("deleted parent", { d1: child }, ["start > d1", "d1 > end"]),
  workflowOf("deleted later", { a1: manual(), d1: childJob("deleted plain", "") }, [
    "start > a1",
    "a1 > d1",
    "d1 > end",
  ]),
  workflowOf("deleted waiting", { d1: childJob("deleted manual", "") }, ["start > d1", "d1 > end"]),
];

describe("deleting jobs", () => {
  let server: TestPlatform;
  let store: Store;
  let clock: ManualClock;

  beforeEach(async () => {
    clock = createManualClock();
    server = await startTestPlatform({ clock });
    ({ store } = server.platform);
    for (const workflow of workflows) await server.importWorkflow(workflow);
  });
  afterEach(() => server.stop());

  const start = async (workflow: string, variables = {}, groups: string[] = []) => {
    const body = { workflow, options: { variables, groups } };
    const { data } = await server.send<{ data: { _id: string } }>("POST", "/operations-manager/jobs/start", body);
    await server.platform.queue.idle();
    return data._id;
  };
  const remove = (jobId: string, token?: string) =>
    server.request<{ message: string; data: unknown }>("DELETE", `/operations-manager/jobs/${jobId}`, undefined, token);
  const isThere = async (jobId: string) => (await server.request("GET", `/operations-manager/jobs/${jobId}`)).status;

  it("removes a tree with everything it had, and nothing of others", async () => {
    const kept = await start("deleted plain", { body: large });
    const jobId = await start("deleted parent", { body: large, list: [1, 2, 3] });
    expect(await remains(store)).toMatchObject({ logs: 8, jobs: 8, values: 2 });
    expect(await remove(jobId)).toMatchObject({ status: 200, body: { data: { _id: jobId } } });
    expect(await isThere(jobId)).toBe(404);
    expect((await remove(jobId)).status).toBe(404);
    await server.platform.queue.idle();
    if (store.isShared) {
      // Its log goes later, when no node can remember it.
      expect(await remains(store)).toMatchObject({ jobs: 1, tasks: 0, logs: 8 });
    } else expect(await remains(store)).toEqual({ logs: 1, items: [], jobs: 1, tasks: 0, values: 1 });
    const { body } = await server.request<{ data: { variables: object } }>("GET", `/operations-manager/jobs/${kept}`);
    expect(body.data.variables).toMatchObject({ body: large, own: large });
    expect(await rebuildProjections(store, { dryRun: true })).toMatchObject({ written: 0, removed: 0, unreadable: [] });
    const sums = await store.find("job_metrics", {});
    const { figures } = await rebuildProjections(store);
    if (!store.isShared) expect(figures.skipped).toContain("deleted");
    expect(await store.find("job_metrics", {})).toEqual(sums);
  });

  it("refuses what has not ended, with what belongs to it, and says why", async () => {
    const jobId = await start("deleted waiting");
    const [below] = await store.find<{ _id: string }>("jobs", { "parent.job": jobId });
    const refusal = async (id: string) => {
      const { status, body } = await remove(id);
      return [status, body.message];
    };
    expect(await refusal(jobId)).toEqual([409, `Job ${jobId} is running and cannot be deleted: cancel it first`]);
    const ofChild = `Job ${below?._id} is a child job: it goes with its root job ${jobId}`;
    expect(await refusal(below?._id ?? "")).toEqual([409, ofChild]);
    await server.send("POST", "/operations-manager/jobs/pause", { jobIds: [jobId] });
    expect((await refusal(jobId))[0]).toBe(409);
    await server.send("POST", "/operations-manager/jobs/cancel", { jobIds: [jobId] });
    await server.platform.queue.idle();
    expect((await refusal(below?._id ?? ""))[0]).toBe(409);
    expect((await remove(jobId)).status).toBe(200);
    await server.platform.queue.idle();
    expect(await isThere(below?._id ?? "")).toBe(404);
    expect(await store.count("jobs", {})).toBe(0);
  });

  it("waits for child jobs that are being started", async () => {
    const jobId = await start("deleted later");
    await server.send("POST", "/workflow_engine/jobWorker/deactivate");
    await server.send("POST", `/operations-manager/jobs/${jobId}/tasks/a1/finish`, {
      taskData: { finish_state: "success", variables: {} },
    });
    await server.send("POST", "/operations-manager/jobs/cancel", { jobIds: [jobId] });
    expect(await remove(jobId)).toMatchObject({
      status: 409,
      body: { message: `Job ${jobId} still starts child jobs: try again when it has ended` },
    });
    await server.send("POST", "/workflow_engine/jobWorker/activate");
    // The start is due when the lease of the node that was to do it ends.
    await clock.advance(3_000);
    await server.platform.queue.idle();
    expect((await remove(jobId)).status).toBe(200);
  });

  it("takes many, and none when one of them cannot go", async () => {
    const ids = [await start("deleted plain"), await start("deleted plain"), await start("deleted plain")];
    const running = await start("deleted manual");
    const many = (jobIds: string[]) =>
      server.request<{ data: unknown }>("POST", "/operations-manager/jobs/delete", { jobIds });
    expect((await many([...ids, running])).status).toBe(409);
    expect((await many([...ids, "f".repeat(24)])).status).toBe(404);
    expect((await many([])).status).toBe(400);
    expect(await store.count("jobs", {})).toBe(4);
    const { status, body } = await many([...ids, ids[0] ?? ""]);
    expect({ status, data: body.data }).toEqual({ status: 200, data: ids.map((_id) => ({ _id })) });
    await server.platform.queue.idle();
    expect(await store.count("jobs", {})).toBe(1);
  });

  it("is for those who may change jobs and see this one", async () => {
    const engineer = await addSearchPerson(server, "engineer", "engineering");
    const outsider = await addSearchPerson(server, "outsider", "engineering");
    const operator = await addSearchPerson(server, "operator");
    const jobId = await start("deleted plain", {}, [engineer.groupId, operator.groupId]);
    expect((await remove(jobId, outsider.token)).status).toBe(404);
    expect((await remove(jobId, operator.token)).status).toBe(403);
    expect(await isThere(jobId)).toBe(200);
    expect((await remove(jobId, engineer.token)).status).toBe(200);
  });
});

describe("a deletion that is broken off", () => {
  /** Runs a deletion in which the n-th commit of it fails; false when it has fewer. */
  async function breakAt(phase: "before" | "after", n: number): Promise<boolean> {
    let count = Number.NEGATIVE_INFINITY;
    const faults: StoreFaults = (point) => {
      if (point.phase === phase && ++count === n) throw new Error(`fault ${phase} commit ${n}`);
    };
    const clock = createManualClock();
    const store = await createCurrentStore({ faults });
    await storeWorkflows(store, workflows);
    const node = createEngineNode({ store, clock });
    await node.engine.start();
    const variables = { body: large, list: [1, 2] };
    const { state } = await node.engine.jobs.start("deleted parent", { variables }, systemCaller);
    await allIdle([node]);
    const jobId = state.origin._id;
    count = 0;
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        await node.engine.deletion.delete([jobId], systemCaller);
      } catch (error) {
        // The client asks again; whoever deleted it already is told so.
        if (!/not available|not found/u.test(String(error))) throw error;
      }
    }
    await passTime(clock, [node], 10_000);
    const isBroken = count >= n;
    count = Number.NEGATIVE_INFINITY;
    clock.jump(3_600_000);
    await passTime(clock, [node], 5_000);
    expect({ phase, n, ...(await remains(store)) }).toEqual({ phase, n, ...nothing });
    await node.engine.stop(0);
    await store.close();
    return isBroken;
  }

  it.each(["before", "after"] as const)(
    "%s any of its commits is ended all the same",
    async (phase) => {
      let n = 1;
      while (await breakAt(phase, n)) n += 1;
      // The marks of five jobs below, that of the root, and what follows.
      expect(n).toBeGreaterThan(6);
    },
    120_000,
  );

  it("is ended by another node when the first one dies after the mark", async () => {
    const nodes = await openSharedNodes(workflows);
    const { clock, store } = nodes;
    const one = await nodes.start();
    const other = nodes.make();
    const { state } = await one.engine.jobs.start("deleted parent", { variables: { list: [1] } }, systemCaller);
    await allIdle([one]);
    const jobId = state.origin._id;
    // The other remembers the job from before.
    await other.engine.start();
    expect((await other.engine.jobs.view(jobId, systemCaller)).state.status).toBe("complete");
    await one.engine.stop(0);
    await one.engine.deletion.delete([jobId], systemCaller);
    expect(await store.count("jobs", {})).toBe(2);
    await expect(other.engine.jobs.view(jobId, systemCaller)).rejects.toThrow("not found");
    await passTime(clock, [other], 5_000);
    expect(await store.count("jobs", {})).toBe(0);
    clock.jump(3_600_000);
    await passTime(clock, [other], 5_000);
    expect(await remains(store)).toEqual(nothing);
    await expect(other.engine.jobs.view(jobId, systemCaller)).rejects.toThrow("not found");
    await nodes.close();
  }, 60_000);
});
