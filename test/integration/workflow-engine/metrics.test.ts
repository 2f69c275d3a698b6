import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { adminPassword, signIn, startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Row {
  _id: string;
  workflow?: { _id: string; name: string };
  metrics: Record<string, number>[];
  jobsComplete?: number;
  totalRunTime?: number;
  taskId?: string;
  taskType?: string;
  name?: string;
  app?: string;
  global?: boolean;
}
interface Page {
  results: Row[];
  skip: number;
  limit: number;
  total: number;
}
interface Job {
  _id: string;
}

const dayMs = 86_400_000;
const firstDay = Date.UTC(2024, 0, 1);
const manual = {
  name: "ViewData",
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
};
const stub = (type = "success") => ({ incoming: { type, delay: "", response: "" } });
const workflows = [
  {
    ...workflowOf("Metrics stub", { a1: stub(), b2: stub() }, ["start > a1", "a1 > b2", "b2 > end"]),
    preAutomationTime: 1_800,
  },
  { ...workflowOf("metrics manual", { a1: manual, c3: stub() }, ["start > a1", "a1 > c3", "c3 > end"]), sla: 60_000 },
  workflowOf("metrics error", { a1: stub("error") }, ["start > a1", "a1 > end"]),
];

describe("figures of jobs and tasks", () => {
  let clock: ManualClock;
  let server: TestPlatform;
  let ids: Record<string, string>;
  let token: string;
  /** Status of requests of somebody without a role here. */
  let refused: number[];

  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await server.request<T>(method, path, body, token);
    if (reply.status !== 200) throw new Error(`${method} ${path} ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  /** Another day: sessions have ended by then. */
  const jump = async (days: number) => {
    clock.jump(days * dayMs);
    token = await signIn(server.platform.url, "admin", adminPassword);
  };
  const start = async (workflow: string) =>
    (await send<{ data: Job }>("POST", "/operations-manager/jobs/start", { workflow, options: {} })).data._id;
  const finish = (jobId: string, taskId: string) =>
    send("POST", `/operations-manager/jobs/${jobId}/tasks/${taskId}/finish`, {
      taskData: { finish_state: "success", variables: {} },
    });
  const jobs = (query = "") => send<Page>("GET", `/workflow_engine/jobs/metrics${query}`);
  const tasks = (query = "") => send<Page>("GET", `/workflow_engine/tasks/metrics${query}`);
  const namesOf = ({ results }: Page) => results.map(({ workflow }) => workflow?.name);
  const workflow = (name: string) => ({ _id: ids[name], name });
  const jobDay = (startDate: number, figures = {}) => ({
    startDate,
    jobsComplete: 0,
    totalRunTime: 0,
    slaTargetsMissed: 0,
    totalManualTime: 0,
    ...figures,
  });
  const taskDay = (startDate: number, figures = {}) => ({
    startDate,
    totalSuccesses: 0,
    totalFailures: 0,
    totalErrors: 0,
    totalRunTime: 0,
    ...figures,
  });

  /** Two days: three jobs of stubs, two with a person, one in error. */
  beforeAll(async () => {
    clock = createManualClock(firstDay + 1_000);
    server = await startTestPlatform({ clock });
    const stranger = await addSearchPerson(server, "metric-stranger", "operator", ["Health"]);
    const paths = ["/workflow_engine/jobs/metrics", "/workflow_engine/tasks/metrics"];
    const replies = paths.map((path) => server.request("GET", path, undefined, stranger.token));
    refused = (await Promise.all(replies)).map(({ status }) => status);
    await jump(0);
    for (const document of workflows) await server.importWorkflow(document);
    const stored = await server.platform.store.find<{ _id: string; name: string }>("workflows", {});
    ids = Object.fromEntries(stored.map(({ _id, name }) => [name, _id]));
    const first = await start("metrics manual");
    const second = await start("metrics manual");
    await start("Metrics stub");
    await start("metrics error");
    await clock.advance(30_000);
    await finish(first, "a1");
    await jump(1);
    await finish(second, "a1");
    await start("Metrics stub");
    await start("Metrics stub");
  });
  afterAll(() => server.stop());

  it("are kept by workflow and day", async () => {
    const page = await jobs();
    expect(page).toEqual({ results: expect.any(Array) as unknown, skip: 0, limit: 100, total: 2 });
    expect(page.results).toEqual([
      {
        _id: ids["Metrics stub"],
        workflow: workflow("Metrics stub"),
        metrics: [jobDay(firstDay, { jobsComplete: 1 }), jobDay(firstDay + dayMs, { jobsComplete: 2 })],
        jobsComplete: 3,
        totalRunTime: 0,
        preAutomationTime: 1_800,
      },
      {
        _id: ids["metrics manual"],
        workflow: workflow("metrics manual"),
        metrics: [
          jobDay(firstDay, { jobsComplete: 1, totalRunTime: 30_000, totalManualTime: 30_000 }),
          jobDay(firstDay + dayMs, {
            jobsComplete: 1,
            totalRunTime: dayMs + 30_000,
            totalManualTime: dayMs + 30_000,
            slaTargetsMissed: 1,
          }),
        ],
        jobsComplete: 2,
        totalRunTime: dayMs + 60_000,
      },
    ]);
  });

  it("of tasks are kept by workflow and over all of them", async () => {
    const { results, total } = await tasks();
    expect(total).toBe(7);
    expect(results.map(({ global, workflow, taskId, name }) => [global, workflow?.name, taskId, name])).toEqual([
      [true, undefined, undefined, "ViewData"],
      [true, undefined, undefined, "stub"],
      [false, "Metrics stub", "a1", "stub"],
      [false, "Metrics stub", "b2", "stub"],
      [false, "metrics error", "a1", "stub"],
      [false, "metrics manual", "a1", "ViewData"],
      [false, "metrics manual", "c3", "stub"],
    ]);
    const stub = { taskType: "automatic", name: "stub", app: "WorkFlowEngine" };
    expect(results[1]).toEqual({
      _id: "WorkFlowEngine/stub",
      ...stub,
      global: true,
      metrics: [
        taskDay(firstDay, { totalSuccesses: 3, totalErrors: 1 }),
        taskDay(firstDay + dayMs, { totalSuccesses: 5 }),
      ],
    });
    expect(results[5]).toEqual({
      _id: `${ids["metrics manual"]}/a1/WorkFlowEngine/ViewData`,
      taskId: "a1",
      taskType: "manual",
      name: "ViewData",
      app: "WorkFlowEngine",
      global: false,
      workflow: workflow("metrics manual"),
      metrics: [
        taskDay(firstDay, { totalSuccesses: 1, totalRunTime: 30_000 }),
        taskDay(firstDay + dayMs, { totalSuccesses: 1, totalRunTime: dayMs + 30_000 }),
      ],
    });
  });

  it.each([
    ["?order=-1", ["metrics manual", "Metrics stub"]],
    ["?sort=totalRunTime", ["Metrics stub", "metrics manual"]],
    ["?sort=jobsComplete&order=1", ["metrics manual", "Metrics stub"]],
    ["?limit=1", ["Metrics stub"]],
    ["?limit=1&skip=1", ["metrics manual"]],
    ["?limit=0", []],
    ["?containsField=workflow.name&contains=STUB", ["Metrics stub"]],
    ["?contains=metrics", ["Metrics stub", "metrics manual"]],
    ["?equalsField=workflow.name&equals=metrics%20manual", ["metrics manual"]],
    ["?equals=manual", []],
  ])("are listed as asked: %s", async (query, names) => {
    expect(namesOf(await jobs(query))).toEqual(names);
  });

  it("say how many rows match, whatever the page", async () => {
    expect(await jobs("?limit=0")).toEqual({ results: [], skip: 0, limit: 0, total: 2 });
    expect((await jobs("?contains=stub&limit=1&skip=5")).total).toBe(1);
    expect((await tasks("?equalsField=app&equals=WorkFlowEngine&limit=2")).total).toBe(7);
  });

  it.each([
    ["?equalsField=name&equals=ViewData", 2],
    ["?equalsField=workflow.name&equals=metrics%20manual", 2],
    ["?equalsField=taskType&equals=manual", 2],
    ["?equalsField=taskId&equals=a1", 3],
    ["?containsField=name&contains=VIEW", 2],
    ["?containsField=workflow.name&contains=metrics", 5],
    ["?sort=global&order=-1&limit=2", 7],
  ])("of tasks are listed as asked: %s", async (query, total) => {
    const page = await tasks(query);
    expect(page.total).toBe(total);
    if (query.includes("sort=global")) expect(page.results.every(({ global }) => global)).toBe(true);
  });

  it("of days that begin at a moment or later", async () => {
    const since = (at: number) => `?greaterThanEqualsField=metrics.startDate&greaterThanEquals=${at}`;
    const daysOf = async (at: number) =>
      (await jobs(`${since(at)}&contains=stub`)).results.flatMap(({ metrics }) =>
        metrics.map((day) => day["startDate"]),
      );
    expect(await daysOf(firstDay)).toEqual([firstDay, firstDay + dayMs]);
    expect(await daysOf(firstDay + 1)).toEqual([firstDay + dayMs]);
    expect(await daysOf(firstDay + dayMs + 1)).toEqual([]);
    expect((await jobs(`${since(firstDay + dayMs)}&contains=stub`)).results[0]?.jobsComplete).toBe(2);
    expect(await daysOf(253_402_214_400_000)).toEqual([]);
  });

  it.each([
    ["jobs/metrics?limit=101", "/query/limit"],
    ["jobs/metrics?limit=-1", "/query/limit"],
    ["jobs/metrics?skip=x", "/query/skip"],
    ["jobs/metrics?order=2", "/query/order"],
    ["jobs/metrics?sort=metrics", "/query/sort"],
    ["jobs/metrics?containsField=app&contains=x", "/query/containsField"],
    ["jobs/metrics?greaterThanEquals=yesterday", "/query/greaterThanEquals"],
    ["jobs/metrics?greaterThanEqualsField=day&greaterThanEquals=1", "/query/greaterThanEqualsField"],
    ["tasks/metrics?equalsField=metrics&equals=x", "/query/equalsField"],
  ])("refuse what they do not know: %s", async (path, place) => {
    const reply = await server.request<{ metadata: { errors: { path: string }[] } }>(
      "GET",
      `/workflow_engine/${path}`,
      undefined,
      token,
    );
    expect(reply.status).toBe(400);
    expect(reply.body.metadata.errors.map(({ path }) => path)).toContain(place);
  });

  it("are for people who may read", async () => {
    expect(refused).toEqual([403, 403]);
    expect((await server.request("GET", "/workflow_engine/jobs/metrics", undefined, null)).status).toBe(401);
    expect((await server.request("GET", "/workflow_engine/tasks/metrics", undefined, null)).status).toBe(401);
  });

  it("look back 30 days unless they are told since when", async () => {
    await jump(29);
    expect((await jobs("?contains=stub")).results[0]?.metrics).toEqual([jobDay(firstDay + dayMs, { jobsComplete: 2 })]);
    await jump(1);
    expect((await jobs()).total).toBe(0);
    expect((await jobs(`?greaterThanEquals=${firstDay}`)).results[0]?.metrics).toHaveLength(2);
  });
});
