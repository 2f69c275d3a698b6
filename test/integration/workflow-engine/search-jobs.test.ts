import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Page {
  results: Record<string, unknown>[];
  skip: number;
  limit: number;
  total: number;
}
interface Problem {
  message: string;
  metadata: { errors: { path: string; message: string }[] };
}

const stub = (type: string) => ({ incoming: { type, delay: "", response: "" } });
const manual = {
  name: "ViewData",
  summary: "look at it",
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
};
const workflows = [
  workflowOf("find done", { a1: stub("success") }, ["start > a1", "a1 > end"]),
  workflowOf("find failed", { a1: stub("error") }, ["start > a1", "a1 > end"]),
  workflowOf("find waiting", { ab: manual }, ["start > ab", "ab > end"]),
];

describe("finding jobs", () => {
  let platform: TestPlatform;
  let reader: SearchPerson;
  let stranger: SearchPerson;
  const ids: Record<string, string> = {};

  const post = <T = Page>(path: string, body: unknown, token?: string) =>
    platform.request<T>("POST", `/workflow_engine${path}`, body, token);
  const names = (page: Page) => page.results.map(({ name }) => name);

  const start = async (key: string, workflow: string, groups: string[] = [], token?: string) => {
    const body = { workflow, options: { groups, variables: { key } } };
    const { body: reply } = await platform.request<{ data: { _id: string } }>(
      "POST",
      "/operations-manager/jobs/start?wait=5000",
      body,
      token,
    );
    ids[key] = reply.data._id;
  };

  beforeAll(async () => {
    platform = await startTestPlatform();
    for (const workflow of workflows) await platform.importWorkflow(workflow);
    reader = await addSearchPerson(platform, "searcher");
    stranger = await addSearchPerson(platform, "stranger", "operator", ["Health"]);
    await start("done", "find done");
    await start("failed", "find failed");
    await start("waiting", "find waiting");
    await start("secret", "find done", [stranger.groupId]);
    await start("shared", "find done", [reader.groupId]);
    await start("own", "find waiting", [], reader.token);
  });
  afterAll(() => platform.stop());

  it("answers a page with its default size and the number of all matches", async () => {
    const { body } = await post("/jobs/search", {
      options: { query: { name: { $regex: "^find" } }, limit: 2, skip: 1 },
    });
    expect(body).toMatchObject({ skip: 1, limit: 2, total: 6 });
    expect(names(body)).toEqual(["find failed", "find waiting"]);
    expect((await post("/jobs/search", {})).body).toMatchObject({ skip: 0, limit: 10, total: 6 });
    expect((await post("/jobs/search", { options: { limit: 0 } })).body.results).toHaveLength(6);
  });

  it("sorts, reduces, and reads whole jobs where fields name what only those have", async () => {
    const options = { sort: { name: -1 }, fields: { name: 1 }, limit: 1 };
    expect((await post("/jobs/search", { options })).body.results).toEqual([{ _id: ids["own"], name: "find waiting" }]);
    const pair = { sort: { field: "name", direction: -1 }, page: { limit: 1 }, fields: { name: true } };
    expect((await post("/jobs/search", { options: pair })).body.results).toEqual([
      { _id: ids["own"], name: "find waiting" },
    ]);
    const deep = { query: { _id: ids["done"] }, fields: { "variables.key": 1, _id: 0 } };
    expect((await post("/jobs/search", { options: deep })).body.results).toEqual([{ variables: { key: "done" } }]);
  });

  it("lists jobs by the words for their status", async () => {
    const list = async (word: string) => names((await post(`/getJobList/${word}`, { options: { limit: 0 } })).body);
    expect(await list("complete")).toEqual(["find done", "find done", "find done"]);
    expect(await list("error")).toEqual(["find failed"]);
    expect(await list("active")).toEqual(["find failed", "find waiting", "find waiting"]);
    expect(await list("incomplete")).toEqual(await list("active"));
    expect(await list("cancelled")).toEqual([]);
    expect(await list("canceled")).toEqual([]);
    expect(await list("paused")).toEqual([]);
    const filtered = { options: { filter: { "metrics.user": reader.id }, page: { limit: 0 } } };
    expect((await post("/getJobList/running", filtered)).body).toMatchObject({
      total: 1,
      results: [{ _id: ids["own"] }],
    });
    const unknown = await post<Problem>("/getJobList/finished", {});
    expect(unknown.status).toBe(400);
    expect(unknown.body.metadata.errors[0]?.path).toBe("/params/status");
  });

  it("finds whole jobs, or headers where the fields are theirs", async () => {
    const whole = await post<Record<string, unknown>[]>("/jobs/find", { query: { name: "find failed" } });
    expect(whole.body).toMatchObject([
      { _id: ids["failed"], tasks: { a1: { status: "error" } }, variables: { key: "failed" } },
    ]);
    const headers = await post<object[]>("/jobs/find", {
      query: { status: "complete" },
      options: { projection: { status: 1 }, sort: { _id: -1 }, skip: 1 },
    });
    expect(headers.body).toEqual([
      { _id: ids["secret"], status: "complete" },
      { _id: ids["done"], status: "complete" },
    ]);
    const queried = await post<object[]>("/queryJobs", { query: { _id: { $in: [ids["done"], ids["failed"]] } } });
    expect(queried.body).toMatchObject([{ variables: { key: "done" } }, { variables: { key: "failed" } }]);
    expect((await post<object[]>("/queryJobs", { query: { name: "no such name" } })).body).toEqual([]);
  });

  it("finds jobs by their tasks", async () => {
    const open = await post<object[]>("/getJobFromTaskQuery", { task_query: { type: "manual" } });
    expect(open.body).toMatchObject([{ _id: ids["waiting"], tasks: { ab: {} } }, { _id: ids["own"] }]);
    const done = { task_query: { "job._id": { $in: [ids["done"], ids["failed"]] }, status: "complete" } };
    expect((await post<object[]>("/getJobFromTaskQuery", done)).body).toMatchObject([{ _id: ids["done"] }]);
    const some = { task_query: { type: "manual" }, options: { skip: 1, limit: 1, fields: { name: 1 } } };
    expect((await post<object[]>("/getJobFromTaskQuery", some)).body).toEqual([
      { _id: ids["own"], name: "find waiting" },
    ]);
  });

  it("names accounts in place of their ids where that is asked for", async () => {
    const options = { query: { _id: ids["own"] }, expand: ["created_by", "user", "watchers"] };
    const [job] = (await post("/jobs/search", { options })).body.results;
    expect(job).toMatchObject({
      created_by: { _id: reader.id, username: "searcher" },
      metrics: { user: { username: "searcher" } },
      watchers: [{ username: "searcher" }],
    });
    expect(Object.keys(job?.["created_by"] as object)).not.toContain("memberOf");
    const unknown = await post<Problem>("/jobs/search", { options: { expand: ["created_by", "password"] } });
    expect(unknown.status).toBe(400);
    expect(unknown.body.metadata.errors[0]?.path).toBe("/body/options/expand/1");
  });

  it("shows each caller what that caller may see, in every answer and total", async () => {
    const { body } = await post("/jobs/search", { options: { sort: { name: 1 }, limit: 0 } }, reader.token);
    expect(body.total).toBe(5);
    expect(body.results.map(({ _id }) => _id)).not.toContain(ids["secret"]);
    expect(body.results.map(({ _id }) => _id)).toContain(ids["shared"]);
    const query = { _id: { $in: [ids["secret"], ids["done"]] } };
    expect((await post<object[]>("/queryJobs", { query }, reader.token)).body).toMatchObject([{ _id: ids["done"] }]);
    expect((await post<object[]>("/jobs/find", { query }, reader.token)).body).toHaveLength(1);
    const pinned = { task_query: { "job._id": ids["secret"] } };
    expect((await post<object[]>("/getJobFromTaskQuery", pinned, reader.token)).body).toEqual([]);
    expect((await post("/getJobList/complete", {}, reader.token)).body.total).toBe(2);
  });

  it("never shows or takes members that only the platform knows", async () => {
    const { body } = await post("/jobs/search", { options: { limit: 0 } });
    for (const job of body.results)
      for (const member of ["access", "participants"]) expect(job).not.toHaveProperty(member);
    const without = await post("/jobs/search", { options: { fields: { name: 0 }, limit: 0 } });
    for (const job of without.body.results) expect(job).not.toHaveProperty("access");
    const one = await platform.send<{ data: object }>("GET", `/operations-manager/jobs/${ids["done"]}`);
    expect(one.data).not.toHaveProperty("access");
    for (const options of [
      { query: { access: "" } },
      { query: { $or: [{ name: "x" }, { $and: [{ "participants.0": { $exists: true } }] }] } },
      { fields: { access: 1 } },
      { sort: { participants: 1 } },
      { sort: { field: "access" } },
    ]) {
      expect((await post("/jobs/search", { options })).status).toBe(400);
    }
    expect((await platform.request("GET", "/operations-manager/jobs?equals[access]=x")).status).toBe(400);
    expect((await platform.request("GET", "/operations-manager/jobs?include=participants")).status).toBe(400);
    expect((await platform.request("GET", "/operations-manager/jobs?sort=access")).status).toBe(400);
  });

  it.each([
    [{ query: { $where: "true" } }, "/body/options/query/$where"],
    [{ query: { name: { $function: 1 } } }, "/body/options/query/name/$function"],
    [{ filter: { $or: [] } }, "/body/options/filter/$or"],
    [{ query: { "tasks.a1.status": "error" } }, "/body/options/query/tasks.a1.status"],
    [{ query: { $and: [{ "variables.x": 1 }] } }, "/body/options/query/$and/0/variables.x"],
    [{ sort: { "variables.x": 1 } }, "/body/options/sort/variables.x"],
    [{ sort: { $name: 1 } }, "/body/options/sort/$name"],
    [{ fields: { name: 1, status: 0 } }, "/body/options/fields/status"],
    [{ limit: 1001 }, "/body/options/limit"],
    [{ skip: -1 }, "/body/options/skip"],
    [{ fields: { tasks: 1 }, limit: 101 }, "/body/options/limit"],
    [{ nonsense: 1 }, "/body/options/nonsense"],
  ])("refuses %j and names %s", async (options, path) => {
    const reply = await post<Problem>("/jobs/search", { options });
    expect(reply.status).toBe(400);
    expect(reply.body.metadata.errors.map((error) => error.path)).toContain(path);
  });

  it.each([
    ["/jobs/find", { query: { $expr: {} } }, "/body/query/$expr"],
    ["/jobs/find", { options: {} }, "/body/query"],
    ["/jobs/find", { query: {}, options: { limit: 101 } }, "/body/options/limit"],
    ["/queryJobs", { query: {} }, "/body/query"],
    ["/queryJobs", {}, "/body/query"],
    ["/getJobFromTaskQuery", { task_query: { $where: "1" } }, "/body/task_query/$where"],
    ["/getJobFromTaskQuery", { task_query: {}, options: { limit: 101 } }, "/body/options/limit"],
    ["/getJobFromTaskQuery", {}, "/body/task_query"],
    ["/getAssociatedJobs", { options: { filter: { $nor: "x" } } }, "/body/options/filter/$nor"],
  ])("refuses at %s the body %j and names %s", async (path, body, at) => {
    const reply = await post<Problem>(path, body);
    expect(reply.status).toBe(400);
    expect(reply.body.metadata.errors.map((error) => error.path)).toContain(at);
  });
});
