import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import type { TaskCall } from "../../../src/workflow-engine/index.ts";
import {
  allIdle,
  createCounter,
  createEngineNode,
  storeWorkflows,
  type EngineNode,
} from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { asShared } from "../../support/shared-store.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const devicesOf = (length: number) =>
  Array.from({ length }, (_, n) => ({
    name: `router-${n}`,
    config: `interface Gi0/${n}\n description "to ${n + 1}"\n`.repeat(5),
    tags: ["core", n % 2 === 0, null, n / 7],
  }));
/** About 500 kB of JSON text. */
const devices = devicesOf(2_000);
const size = JSON.stringify(devices).length;
/** About 5 MB. */
const manyDevices = devicesOf(20_000);
const manySize = JSON.stringify(manyDevices).length;
/** What documents around the values may take in all. */
const smallChange = 300_000;

const read = { app: "Outside", location: "Adapter", name: "read", outgoing: { result: "$var.job.devices" } };
const pass = {
  app: "Outside",
  location: "Adapter",
  name: "pass",
  incoming: { devices: "$var.job.devices", wrapped: "" },
  outgoing: { result: "$var.job.devices" },
};
const manual = {
  type: "manual",
  name: "ViewData",
  incoming: { header: "h", message: "$var.job.text", body: "$var.job.devices" },
};
const ids = Array.from({ length: 9 }, (_, n) => `b${n}`);
const chain = ["start", "a1", ...ids, "end"];
const child = (workflow: string) => ({
  name: "childJob",
  type: "operation",
  incoming: {
    task: "",
    workflow,
    variables: { devices: { task: "job", value: "devices" } },
    data_array: "",
    transformation: "",
    loopType: "",
  },
  outgoing: { job_details: "$var.job.details" },
});

const workflows = [
  workflowOf(
    "large chain",
    { a1: { ...read, name: "read many" }, ...Object.fromEntries(ids.map((id) => [id, pass])) },
    chain.slice(1).map((to, n) => `${chain[n]} > ${to}`),
  ),
  workflowOf("large manual", { a1: read, b1: manual }, ["start > a1", "a1 > b1", "b1 > end"]),
  workflowOf("large child", { b1: pass }, ["start > b1", "b1 > end"]),
  workflowOf("large parent", { a1: read, c1: child("large child") }, ["start > a1", "a1 > c1", "c1 > end"]),
  workflowOf("large failure", { a1: { ...read, name: "fail" } }, ["start > a1", "a1 > end"]),
];

const failure = { IAPerror: { displayString: "x".repeat(300_000) } };

describe("large values", () => {
  let clock: ManualClock;
  let store: Store;
  let node: EngineNode;

  const createNode = (over: Store): EngineNode =>
    createEngineNode({
      store: over,
      clock,
      documentId: createCounter(),
      async call({ task, incoming }: TaskCall) {
        if (task.name === "fail") return { finishState: "error", outgoing: {}, error: failure };
        const result = task.name === "pass" ? incoming["devices"] : task.name === "read many" ? manyDevices : devices;
        return { finishState: "success", outgoing: { result } };
      },
    });

  beforeEach(async () => {
    clock = createManualClock();
    store = await createCurrentStore();
    await storeWorkflows(store, workflows);
    node = createNode(store);
    await node.engine.start();
  });
  afterEach(async () => {
    await node.engine.stop(0);
    await store.close();
  });

  const start = async (name: string, variables = {}) => {
    const { state } = await node.engine.jobs.start(name, { variables }, systemCaller);
    await allIdle([node]);
    return state.origin._id;
  };
  const view = async (from: EngineNode, jobId: string) => (await from.engine.jobs.view(jobId, systemCaller)).state;
  const logSize = async (jobId: string) => {
    const { snapshot } = await store.readLog(jobId);
    const events = await store.wholeLog(jobId);
    return events.reduce((sum, { delta }) => sum + delta.length, snapshot?.state.length ?? 0);
  };
  const collectionSize = async (collection: string) => JSON.stringify(await store.find(collection, {})).length;
  const storedSize = async (...jobIds: string[]) => {
    const logs = await Promise.all(jobIds.map(logSize));
    const sizes = await Promise.all(["large_values", "jobs", "tasks"].map(collectionSize));
    return [...logs, ...sizes].reduce((sum, part) => sum + part, 0);
  };
  const digest = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
  const largeId = (jobId: string, value: unknown) => `${jobId}.${digest(value)}`;

  it("are stored once, however many tasks they go through, and read back to the byte", async () => {
    const jobId = await start("large chain");
    expect(manySize).toBeGreaterThan(5_000_000);
    expect((await view(node, jobId)).status).toBe("complete");
    expect(await store.count("large_values", {})).toBe(1);
    // Quotes in the stored text are escaped: that is all that may come on top.
    const quotes = JSON.stringify(JSON.stringify(manyDevices)).length - manySize;
    expect(await storedSize(jobId)).toBeLessThan(manySize + quotes + smallChange);
    const { tasks, variables } = await view(createNode(store), jobId);
    expect(JSON.stringify(variables["devices"])).toBe(JSON.stringify(manyDevices));
    // One copy in memory, too.
    const values = ids.flatMap((id) => [tasks.get(id)?.incoming?.["devices"], tasks.get(id)?.outgoing?.["result"]]);
    expect(values.map((value) => value === variables["devices"])).toEqual(Array.from({ length: 18 }, () => true));
  });

  it("are stored once in snapshots of the job as well, and survive there", async () => {
    const jobId = await start("large manual", { text: "t" });
    for (let event = 0; event < 210; event++)
      await node.engine.jobs.apply(jobId, { event: "watch", watchers: [`w${event}`], by: systemCaller }, systemCaller);
    expect((await store.readLog(jobId)).snapshot?.seq).toBe(200);
    expect(await logSize(jobId)).toBeLessThan(smallChange);
    const restarted = await view(createNode(store), jobId);
    expect(digest(restarted.variables)).toBe(digest((await view(node, jobId)).variables));
  });

  it("are named by a marker in lists, and whole in the task and the job themselves", async () => {
    const text = 'é"\\\n'.repeat(100_000);
    const jobId = await start("large manual", { text });
    const { results } = await node.engine.manualTasks.list(
      { conditions: [], sort: {}, skip: 0, limit: 10 },
      systemCaller,
    );
    const [row] = results as { _id: string; variables: { incoming: Record<string, unknown> } }[];
    expect(row?.variables.incoming).toEqual({
      header: "h",
      message: { large_data: largeId(jobId, text), size: JSON.stringify(text).length },
      body: { large_data: largeId(jobId, devices), size },
    });
    const task = (await node.engine.manualTasks.get(row?._id ?? "", systemCaller)) as typeof row;
    expect(task?.variables.incoming).toEqual({ header: "h", message: text, body: devices });
    expect((await view(createNode(store), jobId)).variables["text"]).toBe(text);
  });

  it("go from parent to child and back without being stored again", async () => {
    const jobId = await start("large parent");
    expect((await view(node, jobId)).status).toBe("complete");
    const [child] = await store.find<{ _id: string }>("jobs", { name: "large child" });
    expect(await store.count("large_values", {})).toBe(1);
    expect(await logSize(jobId)).toBeLessThan(smallChange);
    expect(await logSize(child?._id ?? "")).toBeLessThan(smallChange);
    expect((await view(node, jobId)).variables["details"]).toMatchObject({ devices });
  });

  it("do not fill the list of jobs as messages of errors", async () => {
    const jobId = await start("large failure");
    const header = await store.read<{ error: { message: unknown }[] }>("jobs", jobId);
    expect(header?.document.error[0]?.message).toMatchObject({ IAPerror: { displayString: { size: 300_002 } } });
    expect((await view(createNode(store), jobId)).errors[0]?.message).toEqual(failure);
  });

  it("are no other than values of users that look like what stands for them", async () => {
    const large = [{ at: ["changes", 0], id: digest(devices), size }];
    const lookalikes = {
      large,
      large_data: digest(devices),
      list: [null, { large, changes: [{ change: "created" }] }],
    };
    const jobId = await start("large manual", {
      text: lookalikes,
      more: [lookalikes, "y".repeat(300_000), lookalikes],
    });
    const { variables } = await view(createNode(store), jobId);
    expect(variables).toMatchObject({ text: lookalikes, more: [lookalikes, "y".repeat(300_000), lookalikes], devices });
  });

  it("are read once by a node that follows a job another node works on", async () => {
    const { store: counted, calls } = asShared(store);
    const other = createNode(counted);
    const jobId = await start("large manual", { text: "t" });
    await view(other, jobId);
    const readsBefore = calls.read ?? 0;
    for (let event = 0; event < 3; event++) {
      await node.engine.jobs.apply(jobId, { event: "watch", watchers: [`w${event}`], by: systemCaller }, systemCaller);
      expect((await view(other, jobId)).watchers.at(-1)).toBe(`w${event}`);
    }
    await node.engine.manualTasks.finish(jobId, "b1", { variables: { chosen: devices } }, systemCaller);
    expect((await view(other, jobId)).tasks.get("b1")?.outgoing).toEqual({ chosen: devices });
    expect((calls.read ?? 0) - readsBefore).toBe(0);
  });

  it("stop a job from being read when one is lost, and say which", async () => {
    const jobId = await start("large manual", { text: "t" });
    await store.commit([{ kind: "remove", collection: "large_values", id: largeId(jobId, devices) }]);
    await expect(view(createNode(store), jobId)).rejects.toThrow(
      `large value ${largeId(jobId, devices)} is not in the store`,
    );
  });
});
