import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Task {
  _id: string;
  taskId: string;
  status: string;
  job: { _id: string; name: string; status?: string };
}
interface Page {
  results: Task[];
  skip: number;
  limit: number;
  total: number;
}
interface Problem {
  metadata: { errors: { path: string }[] };
}

const stub = { name: "stub", incoming: { type: "success", delay: "", response: "$var.job.text" } };
const manual = {
  name: "ViewData",
  summary: "look at it",
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
};

describe("finding tasks", () => {
  let platform: TestPlatform;
  let reader: SearchPerson;
  let stranger: SearchPerson;
  const ids: Record<string, string> = {};

  const post = <T = Page>(path: string, body: unknown, token?: string) =>
    platform.request<T>("POST", `/workflow_engine${path}`, body, token);

  const start = async (key: string, groups: string[] = []) => {
    const options = { groups, variables: { text: `text of ${key}` } };
    const { data } = await platform.send<{ data: { _id: string } }>("POST", "/operations-manager/jobs/start", {
      workflow: "find tasks",
      options,
    });
    ids[key] = data._id;
  };

  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(
      workflowOf("find tasks", { a1: stub, b1: stub, ab: manual }, ["start > a1", "a1 > b1", "b1 > ab", "ab > end"]),
    );
    reader = await addSearchPerson(platform, "task-searcher");
    stranger = await addSearchPerson(platform, "task-stranger", "operator", ["Health"]);
    await start("open");
    await start("other");
    await start("secret", [stranger.groupId]);
  });
  afterAll(() => platform.stop());

  it("searches open tasks, page by page", async () => {
    const { body } = await post("/tasks/search", {
      filter: { name: "ViewData" },
      options: { limit: 1, sort: { _id: 1 } },
    });
    expect(body).toMatchObject({ skip: 0, limit: 1, total: 3, results: [{ status: "running" }] });
    expect((await post("/tasks/search", {})).body).toMatchObject({ limit: 10, total: 3 });
    const both = {
      filter: { name: "ViewData" },
      options: { query: { "job._id": { $gt: ids["open"] } }, fields: { taskId: 1 } },
    };
    const found = (await post("/tasks/search", both)).body;
    expect(found.total).toBe(2);
    expect(Object.keys(found.results[0] ?? {}).toSorted()).toEqual(["_id", "taskId"]);
  });

  it("searches all tasks of jobs that the query pins, finished ones included", async () => {
    const search = async (filter: object, options: object = {}) =>
      (await post("/tasks/search", { filter, options: { sort: { taskId: -1 }, ...options } })).body;
    const all = await search({ "job._id": ids["open"] });
    expect(all.results.map(({ taskId }) => taskId)).toEqual(["b1", "ab", "a1"]);
    expect(all.total).toBe(3);
    const done = await search(
      { "job._id": { $in: [ids["open"], ids["other"], "unknown"] }, status: "complete" },
      { limit: 3 },
    );
    expect(done).toMatchObject({ total: 4, limit: 3 });
    expect(done.results).toHaveLength(3);
    const deep = {
      $and: [{ "job._id": ids["open"] }, { "variables.incoming.response": { $regex: "^text of o.en$" } }],
    };
    expect((await search(deep)).total).toBe(2);
    expect((await search({ "job._id": "unknown" })).total).toBe(0);
    for (const task of all.results) expect(task).not.toHaveProperty("access");
  });

  it("ends an expression that takes too long", { timeout: 20_000 }, async () => {
    const text = `${"a".repeat(40)}b`;
    const { data } = await platform.send<{ data: { _id: string } }>("POST", "/operations-manager/jobs/start", {
      workflow: "find tasks",
      options: { variables: { text } },
    });
    const filter = { "job._id": data._id, "variables.incoming.response": { $regex: "^(a+)+$" } };
    expect((await post("/tasks/search", { filter })).status).toBe(422);
    expect((await post("/tasks/search", { filter: { "job._id": data._id } })).body.total).toBe(3);
    await platform.send("POST", "/workflow_engine/cancelJob", { job_id: data._id });
  });

  it("gives the first task, reduced by a filter, or null", async () => {
    const body = { query: { "job._id": ids["open"], taskId: "a1" }, filter: { name: 1, _id: 0 } };
    expect((await post<object>("/getTask", body)).body).toEqual({ name: "stub" });
    const whole = await post<Task>("/getTask", { query: { "job._id": ids["open"], taskId: "a1" } });
    expect(whole.body).toMatchObject({ status: "complete", variables: { outgoing: { response: "text of open" } } });
    expect((await post("/getTask", { query: { name: "no such task" } })).body).toBeNull();
  });

  it("gives the tasks in order of their ids, page by page, each reduced by a filter", async () => {
    const query = { "job._id": ids["open"] };
    const { body: all } = await post<Task[]>("/queryTasks", { query, filter: { taskId: 1 } });
    expect(all.map((task) => Object.keys(task).toSorted())).toEqual([
      ["_id", "taskId"],
      ["_id", "taskId"],
      ["_id", "taskId"],
    ]);
    const pages = [0, 2].map((skip) =>
      post<Task[]>("/queryTasks", { query, filter: { taskId: 1 }, options: { skip, limit: 2 } }),
    );
    expect((await Promise.all(pages)).flatMap(({ body }) => body)).toEqual(all);
    const [whole] = (await post<Task[]>("/queryTasks", { query: { ...query, taskId: "a1" } })).body;
    expect(whole).toMatchObject({ status: "complete", variables: { outgoing: { response: "text of open" } } });
    expect(whole).not.toHaveProperty("access");
  });

  it("gives short rows", async () => {
    const { body } = await post<Task[]>("/queryTasksBrief", { query: { "job.name": "find tasks" } });
    expect(body).toHaveLength(3);
    expect(body[0]).toEqual({
      _id: expect.any(String) as string,
      name: "ViewData",
      summary: "look at it",
      type: "manual",
      groups: [],
      status: "running",
      job: { _id: expect.any(String) as string, name: "find tasks" },
      metrics: { owner: "" },
    });
  });

  it("shows each caller the tasks of jobs that caller may see", async () => {
    expect((await post("/tasks/search", {}, reader.token)).body.total).toBe(2);
    const pinned = { "job._id": { $in: [ids["secret"], ids["open"]] } };
    expect((await post("/tasks/search", { filter: pinned }, reader.token)).body.total).toBe(3);
    expect((await post("/getTask", { query: { "job._id": ids["secret"] } }, reader.token)).body).toBeNull();
    expect((await post<Task[]>("/queryTasksBrief", { query: {} }, reader.token)).body).toHaveLength(2);
    expect((await post<Task[]>("/queryTasks", { query: {} }, reader.token)).body).toHaveLength(2);
    const disjunction = { $or: [{ "job._id": ids["secret"] }, { name: "ViewData" }] };
    expect((await post("/tasks/search", { filter: disjunction }, reader.token)).body.total).toBe(2);
  });

  it("shows tasks of other groups to nobody else, also in jobs that everybody may see", async () => {
    const guarded = { ...manual, groups: [stranger.groupId] };
    await platform.importWorkflow(
      workflowOf("guarded", { a1: stub, ab: guarded }, ["start > a1", "a1 > ab", "ab > end"]),
    );
    const { data } = await platform.send<{ data: { _id: string } }>("POST", "/operations-manager/jobs/start", {
      workflow: "guarded",
      options: { variables: { text: "t" } },
    });
    const tasksOf = async (token?: string) => {
      const { body } = await post("/tasks/search", { filter: { "job._id": data._id } }, token);
      return body.results.map(({ taskId }) => taskId).toSorted();
    };
    expect(await tasksOf()).toEqual(["a1", "ab"]);
    expect(await tasksOf(reader.token)).toEqual(["a1"]);
    const open = await post("/tasks/search", { filter: { "job.name": "guarded" } }, reader.token);
    expect(open.body.total).toBe(0);
    await platform.send("POST", "/workflow_engine/cancelJob", { job_id: data._id });
  });

  it.each([
    ["/tasks/search", { filter: { $where: "1" } }, "/body/filter/$where"],
    ["/tasks/search", { filter: { access: "x" } }, "/body/filter/access"],
    ["/tasks/search", { options: { sort: { access: 1 } } }, "/body/options/sort/access"],
    ["/tasks/search", { query: {} }, "/body/query"],
    ["/getTask", { query: { name: { $mod: [2, 0] } } }, "/body/query/name/$mod"],
    ["/getTask", { query: {}, filter: { access: 1 } }, "/body/filter/access"],
    ["/getTask", {}, "/body/query"],
    ["/queryTasks", { query: {}, filter: { access: 1 } }, "/body/filter/access"],
    ["/queryTasks", { query: { access: "x" } }, "/body/query/access"],
    ["/queryTasksBrief", { query: { $text: {} } }, "/body/query/$text"],
    ["/queryTasksBrief", {}, "/body/query"],
  ])("refuses at %s the body %j and names %s", async (path, body, at) => {
    const reply = await post<Problem>(path, body);
    expect(reply.status).toBe(400);
    expect(reply.body.metadata.errors.map((error) => error.path)).toContain(at);
  });

  it.each(["/tasks/search", "/getTask", "/queryTasks", "/queryTasksBrief"])(
    "asks for credentials and a role at %s",
    async (path) => {
      const body = path === "/tasks/search" ? {} : { query: {} };
      expect((await platform.request("POST", `/workflow_engine${path}`, body, null)).status).toBe(401);
      expect((await post(path, body, stranger.token)).status).toBe(403);
      expect((await post(path, body, reader.token)).status).toBe(200);
    },
  );
});
