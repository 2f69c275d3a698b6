import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { PlatformError } from "../../../src/core/errors.ts";
import { createIdentifiers } from "../../../src/core/identifiers.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Engine } from "../../../src/workflow-engine/index.ts";
import { createGate } from "../../conformance/work-queue/queue-harness.ts";
import { createEngineNode, storeWorkflows } from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = {
  app: "MOP",
  name: "getDeviceObjectsFiltered",
  type: "automatic",
  incoming: { options: { limit: 1 } },
  outgoing: { result: "" },
};
const delay = { name: "delay", type: "operation", incoming: { time: 5 }, outgoing: { time_in_milliseconds: "" } };
const length = { name: "arrayLength", incoming: { arr: [1, 2] }, outgoing: { length: "$var.job.count" } };
const child = {
  name: "childJob",
  type: "operation",
  incoming: { task: "", workflow: "calls", variables: {}, data_array: "", transformation: "", loopType: "" },
  outgoing: { job_details: "" },
};

const calls = workflowOf("calls", { ab: call, ac: call }, ["start > ab", "ab > ac", "ac > end"]);
const waits = workflowOf("waits", { ab: delay, ac: length, ad: call }, [
  "start > ab",
  "ab > ac",
  "ac > ad",
  "ad > end",
]);
const parent = workflowOf("parent", { ab: child }, ["start > ab", "ab > end"]);
const callThenChild = workflowOf("call, then child", { aa: call, ab: child }, ["start > aa", "aa > ab", "ab > end"]);

/** The store as a node sees it that hears nothing of what others change. */
function deaf(store: Store): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name === "watch") return () => () => undefined;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

describe("the switches of the workers, on two nodes", () => {
  let store: Store;
  let clock: ManualClock;
  let engines: Engine[];
  let one: Engine;
  let two: Engine;
  /** Idempotency keys of the calls that reached the outside. */
  let called: string[];
  let whileCalling: () => Promise<void>;

  const createNode = async (nodeStore = store): Promise<Engine> => {
    const { engine } = createEngineNode({
      store: nodeStore,
      clock,
      identifiers: createIdentifiers(clock),
      async call({ idempotencyKey }) {
        called.push(idempotencyKey);
        await whileCalling();
        return { finishState: "success", outgoing: { result: [] } };
      },
    });
    engines.push(engine);
    await engine.start();
    return engine;
  };

  beforeEach(async () => {
    clock = createManualClock();
    store = await createTemporaryStore({ clock });
    await storeWorkflows(store, [calls, waits, parent, callThenChild]);
    engines = [];
    called = [];
    whileCalling = async () => undefined;
    one = await createNode();
    two = await createNode();
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.stop(0)));
    await store.close();
  });

  const start = async (engine: Engine, workflow: string): Promise<string> =>
    (await engine.jobs.start(workflow, {}, systemCaller)).state.origin._id;
  const stateOf = async (job: string) => (await one.jobs.view(job, systemCaller)).state;
  const statusOf = async (job: string) => (await stateOf(job)).status;
  const taskStatus = async (job: string, task: string) => (await stateOf(job)).tasks.get(task)?.status;
  const statusesOf = (jobs: readonly string[]) => Promise.all(jobs.map(statusOf));

  it("are on where nobody set them", async () => {
    const worker = { running: true, clusterValue: "not defined", localValue: "not defined", startupValue: true };
    expect(await two.workers.statuses()).toEqual({ jobWorker: worker, taskWorker: worker });
  });

  it("hold calls back on every node while the task worker is off; none is lost and each is made once", async () => {
    await one.workers.set("taskWorker", false, systemCaller);
    await clock.advance(0);
    const jobs: string[] = [];
    for (let index = 0; index < 10; index++) jobs.push(await start(one, "calls"), await start(two, "calls"));
    await clock.advance(600_000);
    expect(called).toEqual([]);
    expect(new Set(await statusesOf(jobs))).toEqual(new Set(["running"]));
    await two.workers.set("taskWorker", true, systemCaller);
    await clock.advance(1000);
    expect(new Set(await statusesOf(jobs))).toEqual(new Set(["complete"]));
    expect(called).toHaveLength(40);
    expect(new Set(called).size).toBe(40);
    expect(await store.nextWorkAt()).toBeUndefined();
  });

  it("let calls under way end, and hold back what follows them", async () => {
    const gate = createGate();
    whileCalling = () => gate.passed;
    const job = await start(one, "calls");
    await clock.advance(0);
    expect(called).toHaveLength(1);
    await two.workers.set("taskWorker", false, systemCaller);
    await clock.advance(10_000);
    gate.open();
    await clock.advance(10_000);
    expect(await taskStatus(job, "ab")).toBe("complete");
    expect(await taskStatus(job, "ac")).toBe("running");
    expect(called).toHaveLength(1);
    await two.workers.set("taskWorker", true, systemCaller);
    await clock.advance(1000);
    expect(await statusOf(job)).toBe("complete");
  });

  it("let time go on and the engine compute while the task worker is off", async () => {
    await one.workers.set("taskWorker", false, systemCaller);
    const job = await start(two, "waits");
    await clock.advance(4900);
    expect(await taskStatus(job, "ab")).toBe("running");
    await clock.advance(100);
    expect(await taskStatus(job, "ab")).toBe("complete");
    expect(await taskStatus(job, "ac")).toBe("complete");
    expect(await taskStatus(job, "ad")).toBe("running");
    expect(called).toEqual([]);
  });

  it("refuse new jobs on every node while the job worker is off; jobs under way go on, child jobs wait", async () => {
    const gate = createGate();
    whileCalling = () => gate.passed;
    const job = await start(one, "calls");
    await clock.advance(0);
    await one.workers.set("jobWorker", false, systemCaller);
    await clock.advance(0);
    for (const node of [one, two]) {
      const refusal = await start(node, "calls").catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(PlatformError);
      expect((refusal as PlatformError).code).toBe("UNAVAILABLE");
      expect((refusal as PlatformError).message).toContain("job worker is switched off");
    }
    gate.open();
    await clock.advance(1000);
    expect(await statusOf(job)).toBe("complete");
    await one.workers.set("jobWorker", true, systemCaller);
    const withChild = await start(two, "parent");
    await clock.advance(1000);
    expect(await statusOf(withChild)).toBe("complete");
  });

  it("let child jobs wait until the job worker is on again, and then start each once", async () => {
    const gate = createGate();
    whileCalling = () => gate.passed;
    const jobs = [await start(one, callThenChild.name), await start(two, callThenChild.name)];
    await clock.advance(0);
    await two.workers.set("jobWorker", false, systemCaller);
    gate.open();
    await clock.advance(600_000);
    expect(await store.count("jobs", {})).toBe(2);
    expect(await statusesOf(jobs)).toEqual(["running", "running"]);
    await one.workers.set("jobWorker", true, systemCaller);
    await clock.advance(1000);
    expect(await statusesOf(jobs)).toEqual(["complete", "complete"]);
    expect(await store.count("jobs", {})).toBe(4);
  });

  it("are followed within a second by a node that missed the news", async () => {
    const missed = await createNode(deaf(store));
    await one.workers.set("taskWorker", false, systemCaller);
    await one.workers.set("jobWorker", false, systemCaller);
    await clock.advance(1000);
    expect(missed.workers.isRunning("taskWorker")).toBe(false);
    await expect(start(missed, "calls")).rejects.toThrow("job worker");
    await one.workers.set("taskWorker", true, systemCaller);
    await one.workers.set("jobWorker", true, systemCaller);
    await clock.advance(1000);
    const job = await start(missed, "calls");
    await clock.advance(0);
    expect(await statusOf(job)).toBe("complete");
  });

  it("hold for a node that starts later", async () => {
    await one.workers.set("taskWorker", false, systemCaller);
    const job = await start(one, "calls");
    await clock.advance(60_000);
    const late = await createNode();
    await clock.advance(60_000);
    expect(called).toEqual([]);
    const { taskWorker, jobWorker } = await late.workers.statuses();
    expect(taskWorker).toEqual({
      running: false,
      clusterValue: "disabled",
      localValue: "not defined",
      startupValue: true,
    });
    expect(jobWorker).toMatchObject({ running: true, clusterValue: "not defined" });
    await late.workers.set("taskWorker", true, systemCaller);
    await clock.advance(1000);
    expect(await statusOf(job)).toBe("complete");
    expect((await one.workers.statuses()).taskWorker.clusterValue).toBe("enabled");
  });
});

describe("the operations of the workers", () => {
  let server: TestPlatform;
  beforeEach(async () => {
    server = await startTestPlatform();
    await server.importWorkflow(calls);
  });
  afterEach(() => server.stop());

  const startCalls = () => server.request("POST", "/workflow_engine/startJobWithOptions/calls?wait=5000", {});

  it("switch and tell, with or without a body", async () => {
    expect(await server.send("GET", "/workflow_engine/active")).toBe(true);
    expect(await server.send("POST", "/workflow_engine/deactivate", {})).toBe(true);
    expect(await server.send("POST", "/workflow_engine/jobWorker/deactivate")).toBe(true);
    expect(await server.send("GET", "/workflow_engine/active")).toBe(false);
    const off = { running: false, clusterValue: "disabled", localValue: "not defined", startupValue: true };
    expect(await server.send("GET", "/workflow_engine/workers/status")).toEqual({ jobWorker: off, taskWorker: off });
    const refused = await startCalls();
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(JSON.stringify(refused.body)).toContain("The job worker is switched off");
    expect(await server.send("POST", "/workflow_engine/activate")).toBe(true);
    expect(await server.send("POST", "/workflow_engine/jobWorker/activate", {})).toBe(true);
    const on = { running: true, clusterValue: "enabled", localValue: "not defined", startupValue: true };
    expect(await server.send("GET", "/workflow_engine/workers/status")).toEqual({ jobWorker: on, taskWorker: on });
    expect((await startCalls()).status).toBe(200);
  });

  it("outlive the process", async () => {
    await server.send("POST", "/workflow_engine/jobWorker/deactivate");
    server = await server.restart();
    expect((await startCalls()).status).toBe(503);
    await server.send("POST", "/workflow_engine/jobWorker/activate");
    expect((await startCalls()).status).toBe(200);
  });
});
