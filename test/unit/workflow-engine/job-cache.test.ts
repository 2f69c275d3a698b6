import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { createJobCache } from "../../../src/workflow-engine/jobs/job-cache.ts";
import { JobSize, type KnownJob } from "../../../src/workflow-engine/jobs/job-size.ts";
import { storeWorkflows } from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { asShared, type SharedStore } from "../../support/shared-store.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import { createRunnerNode, type RunnerNode } from "./runner-bench.ts";

const manual = { type: "manual", name: "ViewData" };
const call = { app: "Outside", location: "Adapter" };

const bytesOfEmpty = new JobSize().bytes;

/** A job of so many bytes more than one of which nothing is known. */
function jobOf(jobId: string, bytes: number): KnownJob {
  const { state } = new SimulatedJob(workflowOf("any", { a1: call }, ["start > a1", "a1 > end"]));
  const size = new JobSize();
  size.grow("x".repeat(bytes / 2), []);
  return { state: { ...state, origin: { ...state.origin, _id: jobId } }, size };
}

describe("a cache of jobs", () => {
  const ids = (cache: ReturnType<typeof createJobCache>) =>
    ["a", "b", "c", "d"].filter((jobId) => cache.get(jobId) !== undefined);

  it("lets those go first that were put longest ago", () => {
    const cache = createJobCache({ states: 2, bytes: 1_000_000 });
    for (const jobId of ["a", "b", "a", "c"]) cache.put(jobOf(jobId, 1));
    expect(ids(cache)).toEqual(["a", "c"]);
  });

  it("holds no more bytes than it may, and counts a job once", () => {
    const cache = createJobCache({ states: 10, bytes: 2 * bytesOfEmpty + 100 });
    for (const jobId of ["a", "a", "b", "c"]) cache.put(jobOf(jobId, 40));
    expect(ids(cache)).toEqual(["b", "c"]);
    cache.drop("b");
    cache.put(jobOf("d", 60));
    expect(ids(cache)).toEqual(["c", "d"]);
  });

  it("keeps the job under way, however large it is", () => {
    const cache = createJobCache({ states: 10, bytes: 2 * bytesOfEmpty + 100 });
    cache.put(jobOf("a", 10));
    cache.put(jobOf("b", 1_000));
    expect(ids(cache)).toEqual(["b"]);
  });
});

describe("what a node remembers of its jobs", () => {
  let clock: ManualClock;
  let store: Store;
  let counted: SharedStore;
  let node: RunnerNode;

  beforeEach(async () => {
    clock = createManualClock();
    store = await createTemporaryStore({ clock });
    counted = asShared(store, { isShared: false });
    node = createRunnerNode(counted.store, clock, { states: 80, bytes: 8_000_000 });
    const edges = ["start > a1", "a1 > end"];
    const delay = { name: "delay", type: "operation", incoming: { time: "$var.job.seconds" } };
    await storeWorkflows(store, [
      workflowOf("calling", { a1: call }, edges),
      workflowOf("waiting for a person", { a1: manual }, edges),
      workflowOf("waiting for a time", { a1: delay }, edges),
    ]);
  });
  afterEach(() => store.close());

  const jobId = (n: number) => n.toString(16).padStart(24, "0");
  const startMany = async (workflow: string, count: number, variables = {}) => {
    await Promise.all(Array.from({ length: count }, (_, n) => node.start(workflow, jobId(n), variables)));
  };
  const remembered = async (count: number) => {
    let total = 0;
    for (let n = 0; n < count; n++) {
      counted.logsRead.length = 0;
      await node.runner.recall(jobId(n));
      if (counted.logsRead.length === 0) total += 1;
    }
    return total;
  };

  it("is all of those under way, within its bounds", async () => {
    await startMany("calling", 100);
    expect(await remembered(100)).toBe(80);
  });

  it.each([
    ["people", "waiting for a person", {}, 10],
    ["times far away", "waiting for a time", { seconds: 3_600 }, 10],
    ["times that come soon", "waiting for a time", { seconds: 1 }, 80],
  ])("is of those that wait for %s as many as it has room for", async (_what, workflow, variables, most) => {
    await startMany(workflow, 100, variables);
    expect(await remembered(100)).toBe(most);
  });

  it("is not pushed out by jobs at rest", async () => {
    await node.start("calling", jobId(500));
    await startMany("waiting for a person", 100);
    counted.logsRead.length = 0;
    await node.runner.recall(jobId(500));
    expect(counted.logsRead).toEqual([]);
  });

  it("is bounded by what the jobs take, large values included", async () => {
    const variables = { text: "x".repeat(1_000_000) };
    await startMany("calling", 10, variables);
    expect(await remembered(10)).toBe(3);
  });

  it("is the end of a job, so that who waits for it need not read it", async () => {
    await node.start("waiting for a person", jobId(1));
    counted.logsRead.length = 0;
    await node.runner.activate(jobId(1), { event: "cancel", by: tester });
    expect(await node.runner.read(jobId(1))).toMatchObject({ status: "canceled" });
    expect(counted.logsRead).toEqual([]);
  });

  it("is nothing of a job that has ended and was released, and all of one that goes on", async () => {
    await node.start("waiting for a person", jobId(0));
    node.runner.release(jobId(0));
    expect(await remembered(1)).toBe(1);
    await node.runner.activate(jobId(0), { event: "cancel", by: tester });
    node.runner.release(jobId(0));
    expect(await remembered(1)).toBe(0);
    expect(await node.runner.read(jobId(0))).toMatchObject({ status: "canceled" });
  });

  it("is nothing of a commit whose answer was lost", async () => {
    await node.start("waiting for a person", jobId(1));
    let isLost = true;
    const losing = asShared(store, {
      isShared: false,
      async commit(writes) {
        await store.commit(writes);
        if (isLost) throw new Error("the answer is lost");
      },
    });
    const other = createRunnerNode(losing.store, clock);
    await other.runner.recall(jobId(1));
    await expect(other.runner.activate(jobId(1), { event: "pause", by: tester })).rejects.toThrow("lost");
    isLost = false;
    expect(await other.runner.activate(jobId(1), { event: "resume", by: tester })).toMatchObject({ seq: 3 });
  });
});
