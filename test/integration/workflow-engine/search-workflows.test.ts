import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Page {
  results: { name: string; created_by: { username: string }; tasks?: object }[];
  total: number;
  limit: number;
}
interface Problem {
  metadata: { errors: { path: string }[] };
}

const stub = { incoming: { type: "success", delay: "", response: "" } };

describe("finding workflows", () => {
  let platform: TestPlatform;
  let stranger: SearchPerson;
  const path = "/workflow_engine/workflows/search";

  beforeAll(async () => {
    platform = await startTestPlatform();
    for (const name of ["core vlan", "edge vlan", "backup"]) {
      const automation = workflowOf(name, { a1: stub }, ["start > a1", "a1 > end"]);
      await platform.send("POST", "/automation-studio/automations", { automation });
    }
    stranger = await addSearchPerson(platform, "workflow-stranger", "operator", ["Health"]);
  });
  afterAll(() => platform.stop());

  it("searches by query, page by page", async () => {
    const options = { query: { name: { $regex: "vlan$" } }, sort: { name: -1 }, limit: 1, fields: { tasks: 0 } };
    const page = await platform.send<Page>("POST", path, { options });
    expect(page).toMatchObject({ total: 2, limit: 1, results: [{ name: "edge vlan" }] });
    expect(page.results[0]).not.toHaveProperty("tasks");
    expect(await platform.send<Page>("POST", path, {})).toMatchObject({ total: 3, limit: 10 });
    const deep = await platform.send<Page>("POST", path, { options: { query: { "tasks.a1.name": "stub" } } });
    expect(deep.total).toBe(3);
  });

  it("names authors", async () => {
    const options = { query: { name: "backup" }, expand: ["created_by"] };
    const { results } = await platform.send<Page>("POST", path, { options });
    expect(results[0]?.created_by.username).toBe("admin");
  });

  it("refuses what is no query, and who has no role", async () => {
    const wrong = await platform.request<Problem>("POST", path, { options: { query: { $where: "1" } } });
    expect(wrong.status).toBe(400);
    expect(wrong.body.metadata.errors[0]?.path).toBe("/body/options/query/$where");
    expect((await platform.request("POST", path, { options: { sort: { name: 2 } } })).status).toBe(400);
    expect((await platform.request("POST", path, {}, null)).status).toBe(401);
    expect((await platform.request("POST", path, {}, stranger.token)).status).toBe(403);
  });
});

describe("models of tasks", () => {
  let platform: TestPlatform;
  let stranger: SearchPerson;
  beforeAll(async () => {
    platform = await startTestPlatform();
    stranger = await addSearchPerson(platform, "model-stranger", "operator", ["Health"]);
  });
  afterAll(() => platform.stop());

  const push = {
    location: "Application",
    app: "WorkFlowEngine",
    name: "childJob",
    type: "operation",
    variables: {
      incoming: { workflow: { title: "workflow", required: true }, loopType: { required: false } },
      outgoing: { job_details: { type: "object" } },
    },
  };
  const paths = [
    "/workflow_engine/locations/Application/packages/WorkFlowEngine/tasks/childJob",
    "/automation-studio/locations/Application/packages/WorkFlowEngine/tasks/childJob?dereferenceSchemas=true",
    "/workflow_builder/getTaskDetails/WorkFlowEngine/childJob",
  ];

  it.each(paths)("are the same at %s", async (path) => {
    expect(await platform.send("GET", path)).toMatchObject(push);
    expect(await platform.send("GET", path)).toEqual(await platform.send("GET", paths[0] ?? ""));
    expect((await platform.request("GET", path, undefined, null)).status).toBe(401);
    expect((await platform.request("GET", path, undefined, stranger.token)).status).toBe(403);
  });

  it("have examples, and pages of manual tasks", async () => {
    const delay = await platform.send("GET", "/workflow_builder/getTaskDetails/WorkFlowEngine/delay");
    expect(delay).toMatchObject({ variables: { incoming: { time: { examples: [60, "0.5", 0] } } } });
    const view = await platform.send("GET", "/workflow_builder/getTaskDetails/WorkFlowEngine/ViewData");
    expect(view).toMatchObject({ type: "manual", view: "/workflow_engine/task/ViewData" });
    const operation = await platform.send("GET", "/workflow_builder/getTaskDetails/MOP/getDeviceObjectsFiltered");
    expect(operation).toMatchObject({ app: "MOP", type: "automatic", variables: { incoming: { options: {} } } });
  });

  it("of unknown places, packages and methods are not found", async () => {
    const get = (path: string) => platform.request<{ message: string }>("GET", `/workflow_engine/locations/${path}`);
    const method = await get("Application/packages/WorkFlowEngine/tasks/nothing");
    expect(method).toMatchObject({ status: 404, body: { message: "Method not found: WorkFlowEngine.nothing" } });
    const adapter = await get("Adapter/packages/Servicenow/tasks/createIncident");
    expect(adapter).toMatchObject({ status: 404, body: { message: "No config found for Adapter: Servicenow" } });
    expect((await platform.request("GET", "/workflow_builder/getTaskDetails/Nobody/x")).status).toBe(404);
  });

  it("come several at once, null for those that are not installed", async () => {
    const inputsArray = [
      { location: "Application", pckg: "WorkFlowEngine", method: "childJob" },
      { location: "Adapter", pckg: "Servicenow", method: "createIncident" },
    ];
    const path = "/automation-studio/multipleTaskDetails";
    expect(await platform.send("POST", path, { inputsArray })).toEqual([
      expect.objectContaining({ name: "childJob" }),
      null,
    ]);
    expect((await platform.request("POST", path, { inputsArray: [{ location: "x" }] })).status).toBe(400);
    expect((await platform.request("POST", path, { inputsArray: [] }, stranger.token)).status).toBe(403);
  });

  it("are listed, and so are the applications that offer them", async () => {
    const tasks = await platform.send<{ app: string; name: string }[]>("GET", "/workflow_builder/tasks/list");
    const apps = await platform.send<{ id: string; type: string }[]>("GET", "/automation-studio/apps/list");
    expect(new Set(tasks.map(({ app }) => app))).toEqual(new Set(apps.map(({ id }) => id)));
    expect(apps).toContainEqual({ id: "WorkFlowEngine", type: "Application", name: "Workflow engine" });
    for (const { app, name } of tasks) {
      const one = await platform.request("GET", `/workflow_builder/getTaskDetails/${app}/${name}`);
      expect([one.status, name]).toEqual([200, name]);
    }
    expect((await platform.request("GET", "/automation-studio/apps/list", undefined, stranger.token)).status).toBe(403);
    expect((await platform.request("GET", "/workflow_builder/tasks/list", undefined, stranger.token)).status).toBe(403);
  });
});

describe("loops of workflows", () => {
  let platform: TestPlatform;
  let stranger: SearchPerson;
  beforeAll(async () => {
    platform = await startTestPlatform();
    stranger = await addSearchPerson(platform, "loop-stranger", "operator", ["Health"]);
  });
  afterAll(() => platform.stop());
  const forEach = { name: "forEach", type: "operation", incoming: { data_array: [] } };
  const sound = workflowOf("loops", { f1: forEach, b1: stub, a1: stub }, [
    "start > f1",
    "f1 >loop> b1",
    "f1 > a1",
    "a1 >failure~ f1",
    "a1 > end",
  ]);
  const post = (path: string, body: unknown, token?: string | null) =>
    platform.request<Problem>("POST", `/workflow_engine/${path}`, body, token);

  it("are found and checked", async () => {
    const workflow_details = sound;
    expect((await post("getAllLoopTasks", { workflow_details })).body).toEqual([
      ["f1", "b1"],
      ["f1", "a1"],
    ]);
    expect((await post("validateAllLoops", { workflow_details })).body).toEqual({ valid: true, errors: [] });
    const broken = workflowOf("broken", { f1: forEach, a1: stub }, ["start > f1", "f1 > a1", "a1 > end"]);
    expect((await post("validateAllLoops", { workflow_details: broken })).body).toMatchObject({
      valid: false,
      errors: [{ task: "f1", name: "forEach" }],
    });
  });

  it.each(["getAllLoopTasks", "validateAllLoops"])("need a workflow and a role: %s", async (path) => {
    const wrong = await post(path, { workflow_details: { tasks: {} } });
    expect(wrong.status).toBe(400);
    expect(wrong.body.metadata.errors[0]?.path).toBe("/body/workflow_details/transitions");
    expect((await post(path, { workflow_details: sound }, null)).status).toBe(401);
    expect((await post(path, { workflow_details: sound }, stranger.token)).status).toBe(403);
  });
});
