import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rebuildProjections } from "../../../src/workflow-engine/index.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { addWorker, type Enveloped, type Refusal } from "../../support/manual-work.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Job {
  _id: string;
  status: string;
  name: string;
  variables: Record<string, unknown>;
  slaMissed?: boolean;
}

const engine = "@itential/app-workflow_engine";
const listener = (topic: string, more: object = {}, schema: object | string = "", source = "erp") => ({
  name: "eventListenerJob",
  type: "operation",
  incoming: { source, topic, schema },
  outgoing: { result: "$var.job.got" },
  ...more,
});
const alone = (name: string, task: object) => workflowOf(name, { a: task }, ["start > a", "a > end"]);
const urgent = { type: "object", required: ["urgency"], properties: { urgency: { const: "high" } } };
const manual = { type: "manual", name: "ViewData", view: "/workflow_engine/task/ViewData", incoming: {} };
const stub = { name: "stub", incoming: { type: "success", delay: "", response: "" } };
const waitAny = { afterSeconds: 60, event: { source: "erp", topic: "answer" }, person: true };
const firstOf: object = { ...manual, waitAny, outgoing: { winner: "$var.job.winner" } };

const workflows = [
  alone("hears", listener("order")),
  alone("hears urgent", listener("order", {}, urgent)),
  alone("looks back", listener("$var.job.topic", { events: { keepFor: 600 } })),
  alone("hears its own", listener("$var.job.topic", {}, "$var.job.schema", engine)),
  workflowOf("hears twice", { a: listener("order"), b: listener("order", { outgoing: {} }) }, [
    "start > a",
    "a > b",
    "b > end",
  ]),
  alone("a person", manual),
  { ...alone("promises", manual), sla: 60_000 },
  workflowOf("first of", { a: firstOf, b: stub }, ["start > a", "a > end", "a >failure> b", "b > end"]),
  alone("at night", {
    ...stub,
    scheduled: { from: "22:00", to: "05:00", timezone: "Europe/Berlin" },
  }),
];

describe("events", () => {
  let clock: ManualClock;
  let server: TestPlatform;

  beforeAll(async () => {
    clock = createManualClock(Date.UTC(2026, 0, 5, 9));
    server = await startTestPlatform({ clock });
    for (const workflow of workflows) await server.importWorkflow(workflow);
  });
  afterAll(() => server.stop());

  /** What came before came at an earlier millisecond. */
  const start = async (workflow: string, variables: Record<string, unknown> = {}): Promise<string> => {
    await clock.advance(10);
    const { data } = await server.send<Enveloped<Job>>("POST", "/operations-manager/jobs/start", {
      workflow,
      options: { variables },
    });
    await server.platform.queue.idle();
    return data._id;
  };
  const job = async (id: string): Promise<Job> =>
    (await server.send<Enveloped<Job>>("GET", `/operations-manager/jobs/${id}`)).data;
  const publish = async (topic: string, payload: unknown, query = ""): Promise<void> => {
    await server.send("POST", `/operations-manager/events/erp/${topic}${query}`, { payload });
    await server.platform.queue.idle();
  };
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await server.platform.queue.idle();
  };
  /** Hours go by: what is due is done, and who was signed in signs in again. */
  const passHours = async (ms: number): Promise<void> => {
    clock.jump(ms);
    await pass(3_000);
    server = await server.restart({ clock });
  };
  const act = (id: string, what: string) => server.send("POST", `/operations-manager/jobs/${what}`, { jobIds: [id] });

  describe("from outside", () => {
    it("end every task that waits for them, with their payload", async () => {
      const ids = [await start("hears"), await start("hears"), await start("hears urgent")];
      await publish("other", { urgency: "high" });
      expect(await Promise.all(ids.map(async (id) => (await job(id)).status))).toEqual([
        "running",
        "running",
        "running",
      ]);
      await publish("order", { urgency: "low", n: 1 });
      const jobs = await Promise.all(ids.map(job));
      expect(jobs.map(({ status }) => status)).toEqual(["complete", "complete", "running"]);
      expect(jobs[0]?.variables["got"]).toEqual({ urgency: "low", n: 1 });
      await publish("order", { urgency: "high" });
      expect((await job(ids[2] ?? "")).variables["got"]).toEqual({ urgency: "high" });
    });

    it("are taken once: the next listener waits for the next event", async () => {
      const id = await start("hears twice");
      await publish("order", 1);
      expect((await job(id)).status).toBe("running");
      await publish("order", 2);
      expect((await job(id)).status).toBe("complete");
    });

    it("that came before are lost, but for those who look back", async () => {
      await publish("order", "earlier");
      await publish("early", "early");
      await pass(1_000);
      const [plain, looking] = [await start("hears"), await start("looks back", { topic: "early" })];
      expect((await job(plain)).status).toBe("running");
      expect((await job(looking)).variables["got"]).toBe("early");
      await act(plain, "cancel");
      clock.jump(601_000);
      await pass(3_000);
      const late = await start("looks back", { topic: "early" });
      expect((await job(late)).status).toBe("running");
      await act(late, "cancel");
    });

    it("are found as long as they are kept, and removed some time later", async () => {
      await publish("short", 1, "?keepFor=10");
      await pass(11_000);
      const late = await start("looks back", { topic: "short" });
      expect((await job(late)).status).toBe("running");
      await act(late, "cancel");
      await passHours(2 * 3_600_000);
      expect(await server.platform.store.count("events", {})).toBe(0);
      expect(await server.platform.store.count("event_waits", {})).toBe(0);
    });

    it("are listed with their schemas", async () => {
      const id = await start("hears");
      const { data } = await server.send<Enveloped<{ source: string; topic: string; schema: object }[]>>(
        "GET",
        "/operations-manager/events",
      );
      expect(data.filter(({ source }) => source === engine).map(({ topic }) => topic)).toEqual([
        "jobStart",
        "jobComplete",
        "jobError",
        "jobFix",
        "jobPause",
        "jobResume",
        "jobCancel",
        "jobSlaBreach",
      ]);
      expect(data).toContainEqual(expect.objectContaining({ source: "erp", topic: "order", schema: {} }));
      const own = await server.send<Enveloped<{ schema: object }>>(
        "GET",
        `/operations-manager/events/${encodeURIComponent(engine)}/jobPause`,
      );
      expect(own.data.schema).toMatchObject({ type: "object", properties: { status: { type: "string" } } });
      expect((await server.request("GET", "/operations-manager/events/erp/nothing")).status).toBe(404);
      expect((await server.request("GET", "/operations-manager/events/erp/order")).status).toBe(200);
      await act(id, "cancel");
    });

    it("are refused where they cannot be told", async () => {
      const operator = await addWorker(server, "operator", "operator");
      const reader = await addWorker(server, "reader", "readonly");
      const post = (path: string, body: unknown, token?: string) =>
        server.request<Refusal>("POST", `/operations-manager/events/${path}`, body, token);
      expect((await post(`${encodeURIComponent(engine)}/jobStart`, { payload: 1 })).status).toBe(400);
      expect((await post("erp/order", {})).status).toBe(400);
      expect((await post("erp/order", { payload: 1, more: 2 })).status).toBe(400);
      expect((await post("erp/order?keepFor=604801", { payload: 1 })).status).toBe(400);
      expect((await post(`erp/${"x".repeat(201)}`, { payload: 1 })).status).toBe(400);
      expect((await post("erp/order", { payload: "x".repeat(262_144) })).status).toBe(413);
      expect((await post("erp/order", { payload: 1 }, reader.token)).status).toBe(403);
      expect((await post("erp/unheard", { payload: 1 }, operator.token)).status).toBe(200);
    });

    it("reach a task whose row was lost and rebuilt", async () => {
      const id = await start("hears");
      const { store } = server.platform;
      const [row] = await store.find<{ _id: string; job: string }>("event_waits", { job: id });
      if (!row) throw new Error("no row");
      const stray = { ...row, _id: "stray", job: "f".repeat(24) };
      await store.commit([
        { kind: "remove", collection: "event_waits", id: row._id },
        { kind: "insert", collection: "event_waits", document: stray },
      ]);
      const { different } = await rebuildProjections(store);
      expect(different.map(({ id, difference }) => [id, difference])).toEqual([
        [row._id, "missing"],
        ["stray", "superfluous"],
      ]);
      await publish("order", "found");
      expect((await job(id)).variables["got"]).toBe("found");
    });

    it("reach a task that waits across a restart", async () => {
      const id = await start("hears");
      server = await server.restart({ clock });
      await publish("order", "after");
      expect((await job(id)).variables["got"]).toBe("after");
    });
  });

  describe("of the engine", () => {
    it("cost nothing while nobody waits for them", async () => {
      const before = await server.platform.store.count("events", {});
      const id = await start("a person");
      await act(id, "pause");
      expect(await server.platform.store.count("events", {})).toBe(before);
      await act(id, "cancel");
    });

    it.each([
      ["jobPause", "pause", "paused"],
      ["jobCancel", "cancel", "canceled"],
    ])("tell those who wait: %s", async (topic, what, status) => {
      const watched = await start("a person");
      const schema = { type: "object", required: ["job"], properties: { _id: { const: watched }, job: {} } };
      const id = await start("hears its own", { topic, schema });
      const other = await start("a person");
      await act(other, what);
      await server.platform.queue.idle();
      expect((await job(id)).status).toBe("running");
      await act(watched, what);
      await server.platform.queue.idle();
      expect((await job(id)).variables["got"]).toMatchObject({
        _id: watched,
        name: "a person",
        status,
        job: { status },
      });
      await server.request("POST", "/operations-manager/jobs/cancel", { jobIds: [other, watched] });
    });

    it("do not tell a job what it did before it began to wait", async () => {
      const id = await start("hears its own", { topic: "jobStart", schema: "" });
      expect((await job(id)).status).toBe("running");
      const next = await start("a person");
      expect((await job(id)).variables["got"]).toMatchObject({ _id: next });
      await act(next, "cancel");
    });
  });

  describe("and the time that a workflow promises", () => {
    it("is missed once, seen in lists, and told", async () => {
      const id = await start("promises");
      const told = await start("hears its own", { topic: "jobSlaBreach", schema: "" });
      await pass(59_000);
      expect((await job(id)).slaMissed).toBeUndefined();
      await pass(2_000);
      expect((await job(id)).slaMissed).toBe(true);
      expect((await job(told)).variables["got"]).toMatchObject({ _id: id, slaMissed: true });
      const list = await server.send<Enveloped<Job[]>>("GET", `/operations-manager/jobs?equals[_id]=${id}`);
      expect(list.data[0]?.slaMissed).toBe(true);
      expect((await rebuildProjections(server.platform.store, { dryRun: true })).different).toEqual([]);
      await act(id, "cancel");
    });

    it("leaves no timer behind when the job ends in time", async () => {
      const id = await start("promises");
      await act(id, "cancel");
      const items = await server.platform.store.workItems("", 1_000);
      expect(items.filter((item) => item.id.startsWith(id))).toEqual([]);
    });
  });

  describe("and waitAny", () => {
    it.each([
      ["timer", () => pass(61_000)],
      ["event", () => publish("answer", { yes: true })],
    ])("let the first of them end the task: %s", async (winner, happen) => {
      const id = await start("first of");
      await happen();
      expect(await job(id)).toMatchObject({ status: "complete", variables: { winner } });
      await pass(120_000);
      const items = await server.platform.store.workItems("", 1_000);
      expect(items.filter((item) => item.id.startsWith(id))).toEqual([]);
      expect((await rebuildProjections(server.platform.store, { dryRun: true })).different).toEqual([]);
    });

    it("let a person end the task", async () => {
      const id = await start("first of");
      await server.send("POST", `/operations-manager/jobs/${id}/tasks/a/finish`, { taskData: {} });
      expect(await job(id)).toMatchObject({ status: "complete", variables: { winner: "person" } });
      await publish("answer", 1);
      expect(await server.platform.store.count("event_waits", { job: id })).toBe(0);
    });
  });

  describe("and run windows", () => {
    it("hold a task until they open, across a restart", async () => {
      const id = await start("at night");
      const tasks = await server.send<Enveloped<{ status: string; job: { _id: string } }[]>>(
        "GET",
        "/operations-manager/tasks?equals[status]=scheduled",
      );
      expect(tasks.data.map((task) => task.job._id)).toEqual([id]);
      // In winter ten in the evening is nine in UTC.
      await passHours(Date.UTC(2026, 0, 5, 20, 59) - clock.now());
      expect((await job(id)).status).toBe("running");
      await pass(60_000);
      expect((await job(id)).status).toBe("complete");
    });

    it("that are malformed keep a workflow from being started", async () => {
      const bad = alone("bad window", { name: "stub", incoming: { type: "success" }, scheduled: { from: "9" } });
      await server.importWorkflow(bad);
      const reply = await server.request<Refusal>("POST", "/operations-manager/jobs/start", { workflow: "bad window" });
      expect(reply.status).toBe(422);
      expect(JSON.stringify(reply.body)).toContain("/tasks/a/scheduled/from");
    });
  });
});
