import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import type { JobState } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { createGate } from "../../conformance/work-queue/queue-harness.ts";
import { storeWorkflows } from "../../support/engine-bench.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { asShared, type SharedStore } from "../../support/shared-store.ts";
import { tester } from "../../support/simulated-job.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import { createRunnerNode, type RunnerNode } from "./runner-bench.ts";

const manual = { type: "manual", name: "ViewData" };
const ann = { accountId: "ann", username: "ann" };
const jobId = "0123456789abcdef01234567";

describe("a job that two nodes remember", () => {
  const clock = createManualClock();
  let store: Store;
  let shared: SharedStore;
  let one: RunnerNode;
  let other: RunnerNode;

  beforeEach(async () => {
    store = await createCurrentStore();
    shared = asShared(store);
    one = createRunnerNode(shared.store, clock);
    other = createRunnerNode(shared.store, clock);
    const tasks = { a1: manual, a2: manual, a3: { app: "Outside", location: "Adapter" } };
    await storeWorkflows(store, [
      workflowOf("two people", tasks, ["start > a1", "start > a2", "start > a3", "a1 > end", "a2 > end", "a3 > end"]),
    ]);
    await one.start("two people", jobId);
    shared.logsRead.length = 0;
  });
  afterEach(() => store.close());

  const finish = (node: RunnerNode, task: string): Promise<JobState> =>
    node.runner.activate(jobId, { event: "finishManualTask", task, finishState: "success", variables: {}, by: tester });

  it("is activated from memory while no other node touches it", async () => {
    await finish(one, "a1");
    await finish(one, "a2");
    expect(shared.logsRead).toEqual([]);
  });

  it("is read with everything that is committed, by what was missed", async () => {
    expect((await other.runner.read(jobId))?.seq).toBe(1);
    await finish(one, "a1");
    expect((await other.runner.read(jobId))?.tasks.get("a1")?.status).toBe("complete");
    expect(await other.runner.recall(jobId)).toMatchObject({ seq: 2 });
    expect(shared.logsRead).toEqual([
      [jobId, 0],
      [jobId, 1],
    ]);
  });

  it("is asked for once by all who read it in one turn", async () => {
    await finish(other, "a1");
    shared.logsRead.length = 0;
    const states = await Promise.all(Array.from({ length: 20 }, () => one.runner.read(jobId)));
    expect(new Set(states.map((state) => state?.seq))).toEqual(new Set([2]));
    expect(shared.logsRead).toEqual([[jobId, 1]]);
  });

  it("lets no reader miss what was committed before it asked, though another look is under way", async () => {
    const held = createGate();
    const isRead = createGate();
    let isFirst = true;
    const slow = asShared(store, {
      async readLog(id, afterSeq) {
        const isHeld = isFirst;
        isFirst = false;
        const log = await store.readLog(id, afterSeq);
        isRead.open();
        if (isHeld) await held.passed;
        return log;
      },
    });
    const reader = createRunnerNode(slow.store, clock);
    const early = reader.runner.read(jobId);
    await isRead.passed;
    await finish(one, "a1");
    expect(await reader.runner.read(jobId)).toMatchObject({ seq: 2 });
    held.open();
    expect(await early).toMatchObject({ seq: 1 });
    expect(await reader.runner.recall(jobId)).toMatchObject({ seq: 2 });
  });

  it("takes an event that what is remembered forbids and what is committed allows", async () => {
    await other.runner.activate(jobId, { event: "pause", by: tester });
    expect(await one.runner.recall(jobId)).toMatchObject({ status: "running" });
    expect(await one.runner.activate(jobId, { event: "resume", by: tester })).toMatchObject({
      status: "running",
      seq: 3,
    });
    expect(shared.logsRead.at(-1)).toEqual([jobId, 1]);
  });

  it("refuses an event that what is remembered allows and what is committed forbids", async () => {
    await finish(other, "a1");
    await expect(finish(one, "a1")).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("records an event that would change nothing of what is remembered", async () => {
    const claim = { event: "claim", task: "a1", owner: ann, by: ann } as const;
    await one.runner.activate(jobId, claim);
    await other.runner.activate(jobId, { event: "release", task: "a1", by: ann, isAdmin: false });
    expect((await one.runner.activate(jobId, claim)).tasks.get("a1")?.owner).toEqual(ann);
    expect((await other.runner.read(jobId))?.tasks.get("a1")?.owner).toEqual(ann);
  });

  it("says once more that nothing changes when nothing does", async () => {
    const claim = { event: "claim", task: "a1", owner: ann, by: ann } as const;
    await one.runner.activate(jobId, claim);
    await one.runner.activate(jobId, claim);
    expect((await store.wholeLog(jobId)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("takes both of two events that race for the next number, reading only what was missed", async () => {
    await other.runner.read(jobId);
    shared.logsRead.length = 0;
    await Promise.all([finish(one, "a1"), finish(other, "a2")]);
    const state = await one.runner.read(jobId);
    expect([state?.seq, state?.tasks.get("a1")?.status, state?.tasks.get("a2")?.status]).toEqual([
      3,
      "complete",
      "complete",
    ]);
    expect(shared.logsRead.every(([, afterSeq]) => afterSeq > 0)).toBe(true);
  });

  it("commits what belongs to an accepted event once, however often it was overtaken", async () => {
    await other.runner.read(jobId);
    const alongside = (id: string) => [{ kind: "insert", collection: "secrets", document: { _id: id } } as const];
    const claim = (task: string, by: typeof ann) => ({ event: "claim", task, owner: by, by }) as const;
    const results = await Promise.allSettled([
      one.runner.activate(jobId, claim("a1", ann), alongside("first")),
      other.runner.activate(jobId, claim("a1", tester), alongside("second")),
      other.runner.activate(jobId, claim("a2", tester), alongside("third")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const stored = await store.find<{ _id: string }>("secrets", {}, { sort: { _id: 1 } });
    expect(stored.map(({ _id }) => _id)).toEqual(["first", "third"]);
  });

  it("goes on from a snapshot that another node wrote meanwhile", async () => {
    await other.runner.read(jobId);
    for (let event = 0; event < 205; event++)
      await one.runner.activate(jobId, { event: "watch", watchers: [`w${event}`], by: tester });
    expect((await store.readLog(jobId, 1)).snapshot?.seq).toBe(200);
    const state = await other.runner.read(jobId);
    expect([state?.seq, state?.watchers.at(-1), state?.watchers.length]).toEqual([206, "w204", 206]);
  });
});

describe("a job that one node alone writes", () => {
  it("is read from memory, and never asked for again", async () => {
    const clock = createManualClock();
    const store = await createCurrentStore();
    const { store: counted, logsRead } = asShared(store, { isShared: false });
    const node = createRunnerNode(counted, clock);
    await storeWorkflows(store, [workflowOf("person", { a1: manual }, ["start > a1", "a1 > end"])]);
    await node.start("person", jobId);
    await node.runner.activate(jobId, { event: "pause", by: tester });
    await expect(node.runner.activate(jobId, { event: "pause", by: tester })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(await node.runner.read(jobId)).toMatchObject({ status: "paused" });
    expect(logsRead).toEqual([]);
    await store.close();
  });
});
