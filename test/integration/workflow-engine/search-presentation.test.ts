import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminPassword, signIn, startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Answer {
  message?: string;
  data: Record<string, unknown>;
  metadata: { errors?: { path: string }[] };
}
interface List {
  data: Record<string, unknown>[];
  metadata: { total: number; currentPageSize: number };
}

const manual = {
  name: "ViewData",
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
};
const stub = { incoming: { type: "success", delay: "", response: "" } };

describe("how jobs and tasks are shown", () => {
  let platform: TestPlatform;
  let reader: SearchPerson;
  let stranger: SearchPerson;
  let jobId: string;
  let secretId: string;
  let taskId: string;

  const get = <T = Answer>(path: string, token?: string) => platform.request<T>("GET", path, undefined, token);
  const list = async (query: string) => (await get<List>(`/operations-manager/jobs?${query}`)).body;

  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(
      workflowOf("shown", { a1: stub, ab: manual }, ["start > a1", "a1 > ab", "ab >failure~ a1", "ab > end"]),
    );
    await platform.importWorkflow(workflowOf("Shown too", { a1: stub }, ["start > a1", "a1 > end"]));
    reader = await addSearchPerson(platform, "viewer");
    stranger = await addSearchPerson(platform, "viewing-stranger", "operator", ["Health"]);
    const start = async (workflow: string, options: object) =>
      (await platform.send<Answer>("POST", "/operations-manager/jobs/start", { workflow, options })).data[
        "_id"
      ] as string;
    jobId = await start("shown", { description: "first" });
    secretId = await start("shown", { groups: [stranger.groupId] });
    await start("Shown too", {});
    const tasks = (await get<List>(`/operations-manager/tasks?equals[job._id]=${jobId}`)).body;
    taskId = tasks.data[0]?.["_id"] as string;
  });
  afterAll(() => platform.stop());

  it("reduces one job to the members asked for", async () => {
    const path = `/operations-manager/jobs/${jobId}`;
    const kept = (await get(`${path}?include=name,metrics.user,tasks.a1.status`)).body.data;
    expect(kept).toEqual({
      _id: jobId,
      name: "shown",
      metrics: { user: expect.any(String) as string },
      tasks: { a1: { status: "complete" } },
    });
    const left = (await get(`${path}?exclude=tasks,variables`)).body.data;
    expect(left).toMatchObject({ name: "shown", description: "first" });
    for (const member of ["tasks", "variables"]) expect(left).not.toHaveProperty(member);
  });

  it("puts what is named in place of its name", async () => {
    const job = (await get(`/operations-manager/jobs/${jobId}?dereference=created_by,watchers`)).body.data;
    expect(job).toMatchObject({ created_by: { username: "admin" }, watchers: [{ username: "admin" }] });
    const task = (await get(`/operations-manager/tasks/${taskId}?dereference=job,user&include=job,metrics`)).body.data;
    expect(task).toMatchObject({
      job: { _id: jobId, task: "ab", status: "running", description: "first" },
      metrics: { user: { username: "admin" } },
    });
    expect(Object.keys(task).toSorted()).toEqual(["_id", "job", "metrics"]);
    expect(task["job"]).not.toHaveProperty("participants");
    const jobs = await list("equals[name]=shown&dereference=created_by&sort=_id");
    expect(jobs.data).toMatchObject([{ created_by: { username: "admin" } }, { created_by: { username: "admin" } }]);
    const tasks = (await get<List>("/operations-manager/tasks?dereference=job&sort=_id")).body;
    expect(tasks.data).toMatchObject([{ job: { status: "running" } }, { job: { status: "running" } }]);
  });

  it.each([
    ["jobs", "include=$x", "/query"],
    ["jobs", "dereference=password", "/query/dereference"],
    ["jobs", "include=access", "/query/access"],
    ["tasks", "dereference=nothing", "/query/dereference"],
    ["tasks", "exclude=a..b", "/query"],
  ])("refuses at %s %s", async (kind, query, path) => {
    const reply = await get(`/operations-manager/${kind}/${kind === "jobs" ? jobId : taskId}?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body.metadata.errors?.map((error) => error.path)).toContain(path);
  });

  it("answers nothing of what the caller may not see", async () => {
    expect((await get(`/operations-manager/jobs/${secretId}?include=name`, reader.token)).status).toBe(404);
    expect((await get(`/workflow_engine/jobs/visdata/${secretId}`, reader.token)).status).toBe(404);
    expect((await get(`/operations-manager/jobs/${jobId}?include=name`, stranger.token)).status).toBe(403);
    expect((await get(`/workflow_engine/jobs/visdata/${jobId}`, stranger.token)).status).toBe(403);
  });

  it("gives what a picture of a job is drawn from", async () => {
    const path = "/workflow_engine/jobs/visdata";
    const drawn = (await get<Record<string, unknown>>(`${path}/${jobId}`)).body;
    expect(drawn).toMatchObject({
      transitions: { workflow_start: ["a1"], a1: ["ab"], ab: ["a1", "workflow_end"], workflow_end: [] },
      job: { _id: jobId, tasks: { ab: { status: "running" } } },
    });
    expect((await get(`${path}/0123456789abcdef01234567`)).status).toBe(404);
    expect((await platform.request("GET", `${path}/${jobId}`, undefined, null)).status).toBe(401);
  });

  it.each([
    ["equals[name]=shown", 2],
    ["equals=shown&equalsField=name", 2],
    ["not-equals[name]=shown", 1],
    ["contains[name]=shown", 3],
    ["contains=too&containsField=name", 1],
    ["starts-with[name]=Sh", 1],
    ["ends-with[name]=too", 1],
    ["in[status]=complete,running", 3],
    ["not-in[status]=complete,error", 2],
    ["gt[metrics.start_time]=0", 3],
    ["gte[metrics.start_time]=9999999999999", 0],
    ["lt[metrics.start_time]=0", 0],
    ["lte[metrics.start_time]=9999999999999&equals[status]=complete", 1],
  ])("lists jobs by %s", async (query, total) => {
    const { data, metadata } = await list(query);
    expect(metadata).toMatchObject({ total, currentPageSize: total });
    expect(data).toHaveLength(total);
  });

  it.each([
    [{ queryParameters: { in: { status: ["running", "paused"] }, limit: 1, include: "name,status" } }, 2, 1],
    [{ queryOptions: { equals: { name: "Shown too" } } }, 1, 1],
    [{ queryParameters: { gt: { "metrics.start_time": "0" }, sort: "name", order: -1, skip: 2 } }, 3, 1],
  ])("lists jobs by the body %j", async (body, total, size) => {
    const { data, metadata } = await getWithBody(platform, body);
    expect(metadata.total).toBe(total);
    expect(data).toHaveLength(size);
  });
});

/** `fetch` sends no body with GET; the clients that do use something else. */
async function getWithBody(platform: TestPlatform, body: object): Promise<List> {
  const token = await signIn(platform.platform.url, "admin", adminPassword);
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL("/operations-manager/jobs", platform.platform.url),
      { method: "GET", headers },
      (reply) => {
        let answer = "";
        reply.setEncoding("utf8");
        reply.on("data", (part: string) => (answer += part));
        reply.on("end", () => resolve(JSON.parse(answer) as List));
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}
