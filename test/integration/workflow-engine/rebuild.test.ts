import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Store, Write } from "../../../src/store/store.ts";
import { rebuildProjections, type RebuildReport } from "../../../src/workflow-engine/index.ts";
import { manual } from "../../faults/shape-tasks.ts";
import { variablesOf } from "../../faults/shape.ts";
import { faultWorkflows, shapes, transformation } from "../../faults/shapes.ts";
import { readMetricSums } from "../../../src/workflow-engine/jobs/metric-sums.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { asShared } from "../../support/shared-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

type Row = JsonObject & { _id: string };

const further = [
  workflowOf("rebuild error", { a1: { incoming: { type: "error", delay: "", response: "x" } } }, [
    "start > a1",
    "a1 > end",
  ]),
  workflowOf("rebuild large", { a1: manual("$var.job.body") }, ["start > a1", "a1 > end"]),
];

/** Without numbers that are 0 and objects of such numbers. */
function withoutNothing(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutNothing(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== 0 && JSON.stringify(member) !== "{}"));
}

describe("a rebuild of the read models", () => {
  let clock: ManualClock;
  let server: TestPlatform;
  let store: Store;

  /** Runs every shape: some to its end, some left where they wait, some paused, some canceled. */
  beforeAll(async () => {
    clock = createManualClock();
    server = await startTestPlatform({ clock });
    ({ store } = server.platform);
    await server.send("POST", "/transformations/import", { transformation });
    for (const workflow of [...faultWorkflows(clock.now()), ...further]) await server.importWorkflow(workflow);
    await startShapes();
    for (let step = 0; step < 60; step++) {
      await server.platform.queue.idle();
      await finishManualTasks(step % 3 === 0 ? "failure" : "success", 2);
      await clock.advance(250);
    }
    await startShapes();
    const open = await store.find<Row>("jobs", { status: "running" });
    for (const [index, { _id }] of open.entries())
      if (index % 3 < 2) await apply(_id, index % 3 === 0 ? "cancel" : "pause");
    await start("rebuild error", {});
    await start("rebuild large", {
      body: Array.from({ length: 3_000 }, (_, n) => `line ${n} of a large value`.repeat(9)),
    });
    await server.platform.queue.idle();
  }, 120_000);
  afterAll(() => server.stop());

  const start = async (workflow: string, variables: Record<string, unknown>) => {
    const body = { workflow, options: { variables } };
    return (await server.send<{ data: { _id: string } }>("POST", "/operations-manager/jobs/start", body)).data._id;
  };
  const startShapes = async () => {
    for (const shape of shapes) await start(shape.workflow.name, variablesOf(shape, shape.workflow.name));
  };
  const apply = (jobId: string, event: "cancel" | "pause") =>
    server.request("POST", `/operations-manager/jobs/${event}`, { jobIds: [jobId] });
  const finishManualTasks = async (finish_state: "success" | "failure", most: number) => {
    const open = await store.find<Row & { taskId: string; job: { _id: string } }>("tasks", { type: "manual" });
    for (const { taskId, job } of open.slice(0, most))
      await server.request("POST", `/operations-manager/jobs/${job._id}/tasks/${taskId}/finish`, {
        taskData: { finish_state, variables: { note: taskId } },
      });
  };
  const rows = (collection: string) => store.find<Row>(collection, {}, { sort: { _id: 1 } });
  const models = async () => JSON.stringify([await rows("jobs"), await rows("tasks"), await rows("event_waits")]);
  const commit = (...writes: Write[]) => store.commit(writes);
  const ofDifferences = ({ different }: RebuildReport) =>
    different.map(({ id, difference }) => `${difference} ${id}`).sort();

  it("finds every row as it was written, to the byte", async () => {
    const jobs = await rows("jobs");
    const tasks = await rows("tasks");
    const waits = await rows("event_waits");
    expect(new Set(jobs.map(({ status }) => status))).toEqual(
      new Set(["complete", "canceled", "error", "running", "paused"]),
    );
    expect(new Set(tasks.map(({ type }) => type)).size).toBeGreaterThan(1);
    expect(JSON.stringify(tasks)).toContain("large_data");
    expect(waits.length).toBeGreaterThan(0);
    const before = await models();
    const report = await rebuildProjections(store, { batchSize: 7 });
    expect(report).toEqual({
      jobs: jobs.length,
      written: 0,
      removed: 0,
      unchanged: jobs.length + tasks.length + waits.length,
      different: [],
      unreadable: [],
      figures: { unchanged: expect.any(Number) as number, different: 0 },
    });
    expect(report.figures.unchanged).toBeGreaterThan(shapes.length);
    expect(await models()).toBe(before);
  });

  it("puts figures right that are lost, damaged or too many", async () => {
    const sums = async () => {
      const { entries } = await readMetricSums(store);
      const figures = [...entries].map(([name, sum]) => [name, withoutNothing(sum.figures)] as const);
      return Object.fromEntries(figures.filter(([, sum]) => JSON.stringify(sum) !== "{}"));
    };
    const before = await sums();
    const [lost, damaged] = await rows("job_metrics");
    const [lostTasks, tasks] = await rows("task_metrics");
    const workflow = { _id: "nobody", name: "nobody" };
    await commit(
      { kind: "remove", collection: "job_metrics", id: lost!._id },
      { kind: "remove", collection: "task_metrics", id: lostTasks!._id },
      { kind: "add", collection: "job_metrics", document: { _id: damaged!._id, jobsComplete: -3, totalRunTime: 5 } },
      { kind: "put", collection: "task_metrics", document: { ...tasks!, _id: `${tasks!._id}x` } },
      {
        kind: "add",
        collection: "job_metrics",
        document: { _id: "2024-01-01|x", day: "2024-01-01", workflow, jobsComplete: 1 },
      },
    );
    const damagedSums = await sums();
    const dry = await rebuildProjections(store, { dryRun: true });
    expect(dry).toMatchObject({ written: 0, removed: 0, figures: { different: 5 } });
    expect(await sums()).toEqual(damagedSums);
    expect((await rebuildProjections(store)).figures).toEqual(dry.figures);
    expect((await rebuildProjections(store)).figures.different).toBe(0);
    expect(await sums()).toEqual(before);
  });

  it("leaves figures alone when not every log is read", async () => {
    const [job] = await rows("jobs");
    expect((await rebuildProjections(store, { after: job!._id })).figures.skipped).toBe("not every log was read");
  });

  it("restores rows that are lost, damaged or too many, and only those", async () => {
    const before = await models();
    const jobs = await rows("jobs");
    const tasks = await rows("tasks");
    const waits = await rows("event_waits");
    const [lost, damaged, reordered] = jobs as [Row, Row, Row];
    const [lostTask, moved, unlinked, numbered] = tasks as [Row, Row, Row, Row];
    const [lostWait, damagedWait] = waits as [Row, Row];
    const { _id, ...members } = reordered;
    await commit(
      { kind: "remove", collection: "jobs", id: lost._id },
      { kind: "put", collection: "jobs", document: { ...damaged, status: "lost" } },
      { kind: "put", collection: "jobs", document: { ...members, _id } },
      { kind: "put", collection: "jobs", document: { _id: "ffffffffffffffffffffffff", name: "no log" } },
      { kind: "put", collection: "jobs", document: { _id: "000000000000000000000000", name: "no log" } },
      { kind: "remove", collection: "tasks", id: lostTask._id },
      { kind: "put", collection: "tasks", document: { ...moved, job: { _id: jobs.at(-1)?._id } } },
      { kind: "put", collection: "tasks", document: { ...unlinked, job: null } },
      { kind: "put", collection: "tasks", document: { ...numbered, job: { _id: 7 } } },
      { kind: "put", collection: "tasks", document: { _id: "stray", job: { _id: lost._id } } },
      { kind: "put", collection: "tasks", document: { _id: "unlinked stray" } },
      { kind: "put", collection: "tasks", document: { _id: "stray of nobody", job: { _id: "gggg" } } },
      { kind: "remove", collection: "event_waits", id: lostWait._id },
      { kind: "put", collection: "event_waits", document: { ...damagedWait, source: "nowhere" } },
    );
    const damagedModels = await models();
    const expected = [
      `missing ${lost._id}`,
      `different ${damaged._id}`,
      `different ${reordered._id}`,
      "superfluous ffffffffffffffffffffffff",
      "superfluous 000000000000000000000000",
      `missing ${lostTask._id}`,
      `different ${moved._id}`,
      `different ${unlinked._id}`,
      `different ${numbered._id}`,
      "superfluous stray",
      "superfluous unlinked stray",
      "superfluous stray of nobody",
      `missing ${lostWait._id}`,
      `different ${damagedWait._id}`,
    ].sort();
    const dry = await rebuildProjections(store, { dryRun: true, batchSize: 5 });
    expect(ofDifferences(dry)).toEqual(expected);
    expect(await models()).toBe(damagedModels);
    const report = await rebuildProjections(store, { batchSize: 5 });
    expect(report).toEqual({ ...dry, different: expect.any(Array) as unknown[] });
    expect(ofDifferences(report)).toEqual(expected);
    const unchanged = jobs.length + tasks.length + waits.length - 9;
    expect(report).toMatchObject({ written: 9, removed: 5, unchanged });
    expect(await models()).toBe(before);
  });

  it("restores everything from logs alone", async () => {
    const before = await models();
    const removals = (collection: string, found: Row[]) =>
      found.map(({ _id: id }) => ({ kind: "remove", collection, id }) as const);
    for (const collection of ["jobs", "tasks", "event_waits"])
      await commit(...removals(collection, await rows(collection)));
    const report = await rebuildProjections(store);
    expect(report).toMatchObject({ removed: 0, unchanged: 0, unreadable: [] });
    expect(await models()).toBe(before);
  });

  it("goes on where it was broken off", async () => {
    const before = await models();
    const jobs = await rows("jobs");
    await commit(...jobs.map(({ _id: id }) => ({ kind: "remove", collection: "jobs", id }) as const));
    let last = "";
    const broken = rebuildProjections(store, {
      batchSize: 10,
      onProgress({ after }) {
        if (last !== "") throw new Error("broken off");
        last = after;
      },
    });
    await expect(broken).rejects.toThrow("broken off");
    const report = await rebuildProjections(store, { after: last });
    expect(report.jobs).toBe(jobs.length - 10);
    expect(await models()).toBe(before);
  });

  it("leaves the rows of a log that it cannot read as they are, and says why", async () => {
    const [job] = await rows("jobs");
    const jobId = job?._id ?? "";
    const events = await store.wholeLog(jobId);
    const rewrite = (last: Write[]) =>
      commit(
        { kind: "removeLog", jobId },
        ...events.map((event) => ({ kind: "appendEvent", jobId, ...event }) as const),
        ...last,
      );
    const delta = JSON.stringify({ cause: { event: "x" }, changes: [{ change: "rewound" }] });
    await rewrite([{ kind: "appendEvent", jobId, seq: events.length + 1, at: 1, delta }]);
    const before = await models();
    const report = await rebuildProjections(store);
    expect(report).toMatchObject({ written: 0, removed: 0, figures: { skipped: "not every log was read" } });
    expect(report.unreadable).toEqual([
      { job: jobId, reason: `The log of job ${jobId} was written by a newer release` },
    ]);
    const missing = events.length + 1;
    const described = { kind: "appendEvent", jobId, at: 1, delta: delta.replace("rewound", "described") } as const;
    await rewrite([
      { ...described, seq: missing },
      { ...described, seq: missing + 1 },
    ]);
    const { store: damaged } = asShared(store, {
      wholeLog: async (id, page) =>
        (await store.wholeLog(id, page)).filter(({ seq }) => id !== jobId || seq !== missing),
    });
    expect((await rebuildProjections(damaged)).unreadable[0]?.reason).toContain(`a gap after event ${events.length}`);
    expect(await models()).toBe(before);
    await rewrite([]);
  });
});

describe("a rebuild while a node works", () => {
  it("writes nothing over what the node wrote meanwhile", async () => {
    const server = await startTestPlatform();
    const { store, engine } = server.platform;
    await server.importWorkflow(further[1]!);
    const { state } = await engine.jobs.start("rebuild large", {}, systemCaller);
    const jobId = state.origin._id;
    await store.commit([{ kind: "remove", collection: "jobs", id: jobId }]);
    let looks = 0;
    const moving: Store = new Proxy(store, {
      get(target, name: keyof Store) {
        if (name === "readLog")
          return async (...parameters: Parameters<Store["readLog"]>) => {
            // Before the first look at what was added, and between the second and its commit.
            if (++looks === 1) await engine.jobs.apply(jobId, { event: "pause", by: systemCaller }, systemCaller);
            const log = await store.readLog(...parameters);
            if (looks === 2) await engine.jobs.apply(jobId, { event: "resume", by: systemCaller }, systemCaller);
            return log;
          };
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
    const report = await rebuildProjections(moving);
    expect(report.unreadable).toEqual([]);
    expect(report.figures.different).toBe(0);
    expect(await store.read("jobs", jobId)).toMatchObject({ document: { status: "running" } });
    expect(await rebuildProjections(store, { dryRun: true })).toMatchObject({ written: 0, removed: 0, unchanged: 2 });
    await server.stop();
  });
});
