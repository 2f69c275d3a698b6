import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import { createStudioServer, listOf, textOf, type StudioServer } from "./studio-server.ts";

let server: StudioServer;
beforeEach(async () => {
  server = await createStudioServer();
});
afterEach(() => server.close());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;
const twoTasks = (name: string) =>
  workflowOf(name, { a: {}, b: { incoming: { response: "$var.job.site" } } }, ["start > a", "a > b", "b > end"]);
const create = async (name: string) =>
  (await server.send("POST", "/automation-studio/automations", { automation: twoTasks(name) })).body["created"];

/** A document as another installation exported it: dates, authors, an unknown member, an orphan key and a missing entry. */
const exported = (name: string) => {
  const workflow = twoTasks(name);
  const { workflow_end: _, ...transitions } = workflow.transitions;
  const author = { provenance: "CloudAAA", username: "ada", firstname: "Ada", inactive: false };
  return {
    vendorMember: { z: 1, a: [2] },
    ...workflow,
    transitions: { ...transitions, "9f": {} },
    created: "2020-02-03T04:05:06.000Z",
    created_by: author,
    last_updated: "2021-02-03T04:05:06.000Z",
    last_updated_by: author,
    canvasVersion: 3,
  };
};

describe("creating a workflow", () => {
  test("gives it an id, author and dates, and says what is wrong with it", async () => {
    const smallest = {
      name: "smallest",
      type: "automation",
      tasks: { workflow_start: { name: "workflow_start" }, workflow_end: { name: "workflow_end" } },
      transitions: { workflow_start: {}, workflow_end: {} },
    };
    const { status, body } = await server.send("POST", "/automation-studio/automations", {
      automation: { _id: "mine", created: "never", ...smallest },
    });
    expect(status).toBe(200);
    expect(body["edit"]).toContain("smallest");
    expect(body["created"]).toMatchObject({
      ...smallest,
      _id: expect.stringMatching(uuid),
      created: "2024-01-01T00:00:00.000Z",
      created_by: "id-of-admin",
      last_updated_by: "id-of-admin",
      encodingVersion: 1,
      errors: [
        {
          task: "workflow_end",
          name: "workflow_end",
          message: "Could not find standard transition path between workflow start and task",
        },
      ],
      warnings: [],
      inputSchema: { type: "object", properties: {}, required: [] },
    });
  });

  test("under a taken name is refused in the words of the field", async () => {
    await create("taken");
    const { status, body } = await server.send("POST", "/automation-studio/automations", {
      automation: twoTasks("taken"),
    });
    expect([status, body["message"]]).toEqual([409, "workflow with name `taken` already exists"]);
  });

  test.each([
    [{ tasks: {}, transitions: {} }, "/body/automation/name"],
    [{ name: "w", transitions: {} }, "/body/automation/tasks"],
    [{ name: "w", tasks: { a: 1 }, transitions: {} }, "/body/automation/tasks/a"],
  ])("that is no workflow names the place: %j", async (automation, path) => {
    const { status, body } = await server.send("POST", "/automation-studio/automations", { automation });
    expect(status).toBe(400);
    expect(listOf<{ path: string }>(body["metadata"]?.["errors"]).map((detail) => detail.path)).toContain(path);
  });
});

describe("files of workflows", () => {
  test("come out as they went in", async () => {
    const file = exported("travelled");
    const { status, body } = await server.send("POST", "/workflow_builder/import", {
      workflow: { _id: "0c6ebd87-0e53-43f8-8810-9decfa5e3077", ...file },
      options: {},
    });
    expect([status, body]).toEqual([200, { n: 1, ok: 1, name: "travelled" }]);
    const out = await server.send("POST", "/workflow_builder/export", { options: { name: "travelled" } });
    expect(out.status).toBe(200);
    expect(JSON.stringify(out.body)).toBe(JSON.stringify(file));
    expect(
      (
        await server.send("POST", "/workflow_builder/export", {
          options: { _id: "0c6ebd87-0e53-43f8-8810-9decfa5e3077" },
        })
      ).body,
    ).toEqual(out.body);
  });

  test("show who wrote a workflow of this installation", async () => {
    const account = {
      _id: "id-of-admin",
      provenance: "Local AAA",
      username: "admin",
      firstname: "Admin",
      inactive: false,
      password: "secret",
    };
    await server.store.commit([{ kind: "insert", collection: "accounts", document: account }]);
    await create("mine");
    const { body } = await server.send("POST", "/workflow_builder/export", { options: { name: "mine" } });
    expect(body["created_by"]).toEqual({
      provenance: "Local AAA",
      username: "admin",
      firstname: "Admin",
      inactive: false,
    });
    expect(body).not.toHaveProperty("_id");
    expect(body).not.toHaveProperty("errors");
  });

  test("of studio answer what was made of each", async () => {
    const { status, body } = await server.send("POST", "/automation-studio/automations/import", {
      automations: [exported("one"), exported("two")],
    });
    expect(status).toBe(200);
    expect(body["imported"]).toMatchObject([
      {
        success: true,
        original: { name: "one" },
        created: { _id: expect.stringMatching(uuid), name: "one", created: "2020-02-03T04:05:06.000Z" },
      },
      { success: true, original: { name: "two" } },
    ]);
  });

  test("are stored all or none", async () => {
    await create("there");
    const { status, body } = await server.send("POST", "/automation-studio/automations/import", {
      automations: [exported("new"), exported("there")],
    });
    expect([status, body["message"]]).toEqual([409, "workflow with name `there` already exists"]);
    const twice = await server.send("POST", "/automation-studio/automations/import", {
      automations: [exported("same"), exported("same")],
    });
    expect(twice.status).toBe(409);
    expect(await server.store.count("workflows", {})).toBe(1);
  });

  test("whose id is taken get a new one", async () => {
    const created = await create("first");
    await server.send("POST", "/workflow_builder/import", {
      workflow: { ...exported("second"), _id: created?.["_id"] },
    });
    expect((await server.workflows.get("second", systemCaller))._id).toMatch(uuid);
    expect((await server.workflows.get("second", systemCaller))._id).not.toBe(created?.["_id"]);
  });

  test("that do not exist are said to be missing", async () => {
    const { status, body } = await server.send("POST", "/workflow_builder/export", { options: { name: "nowhere" } });
    expect([status, body["message"]]).toEqual([404, "Could not find matching workflow"]);
  });
});

describe("changing a workflow", () => {
  test("replaces the members given, keeps the others and checks again", async () => {
    const created = await create("w");
    await server.clock.advance(1000);
    const update = { description: "changed", tasks: { ...twoTasks("w").tasks, c: {} }, created_by: "somebody" };
    const { status, body } = await server.send(
      "PUT",
      `/automation-studio/automations/${textOf(created?.["_id"])}`,
      { update: { ...update, tasks: { ...update.tasks, c: { name: "stub" } } } },
      "grace",
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      _id: created?.["_id"],
      name: "w",
      description: "changed",
      created_by: "id-of-admin",
      last_updated_by: "id-of-grace",
      last_updated: "2024-01-01T00:00:01.000Z",
    });
    expect(listOf<object>(body["errors"]).length).toBeGreaterThan(0);
  });

  test("to a taken name, or of none, is refused", async () => {
    await create("one");
    await create("two");
    expect(
      (await server.send("POST", "/workflow_builder/workflows/rename", { workflow: "one", newName: "two" })).status,
    ).toBe(409);
    expect(
      (await server.send("POST", "/workflow_builder/workflows/rename", { workflow: "none", newName: "two" })).status,
    ).toBe(404);
    const renamed = await server.send("POST", "/workflow_builder/workflows/rename", {
      workflow: "one",
      newName: "three",
    });
    expect([renamed.status, renamed.body]).toEqual([200, { n: 1, ok: 1, name: "three" }]);
    expect((await server.send("GET", "/automation-studio/workflows/detailed/three")).status).toBe(200);
    expect((await server.send("GET", "/automation-studio/workflows/detailed/one")).status).toBe(404);
  });

  test("saving makes a new one or goes over the one of that name or id", async () => {
    const first = await server.send("POST", "/workflow_builder/workflows/save", { workflow: twoTasks("w") });
    const byName = await server.send("POST", "/workflow_builder/workflows/save", {
      workflow: { ...twoTasks("w"), description: "2" },
    });
    const byId = await server.send("POST", "/workflow_builder/workflows/save", {
      workflow: { ...twoTasks("v"), _id: first.body["_id"] },
    });
    expect([byName.body["_id"], byId.body["_id"]]).toEqual([first.body["_id"], first.body["_id"]]);
    expect(await server.store.find("workflows", {}, { fields: { name: 1, description: 1, _id: 0 } })).toEqual([
      { name: "v", description: "2" },
    ]);
  });

  test("removing answers what was removed, by name or id", async () => {
    const created = await create("with blank / and slash");
    const path = `/workflow_builder/workflows/delete/${encodeURIComponent("with blank / and slash")}`;
    const { status, body } = await server.send("DELETE", path);
    expect([status, body["lastErrorObject"], body["value"]?.["_id"]]).toEqual([200, { n: 1 }, created?.["_id"]]);
    const again = await server.send("DELETE", "/workflow_builder/workflows/delete/test");
    expect([again.status, again.body["message"]]).toEqual([
      404,
      "Problems on test workflow delete. Details: Could not find and delete test workflow",
    ]);
    const other = await create("other");
    expect((await server.send("DELETE", `/workflow_builder/workflows/delete/${textOf(other?.["_id"])}`)).status).toBe(
      200,
    );
  });
});

describe("asking for workflows", () => {
  beforeEach(async () => {
    for (const name of ["alpha", "beta", "gamma"]) await create(name);
  });

  test("the neighbours of a page are asked for as the page was", async () => {
    const query = "limit=1&in[name]=gamma,alpha&not-equals[name]=a%26b&sort=name&order=-1&include=name";
    const first = await server.send("GET", `/automation-studio/workflows?${query}`);
    expect(first.body).toMatchObject({ total: 2, items: [{ name: "gamma" }], previous: null });
    const second = await server.send("GET", textOf(first.body["next"]));
    expect(second.body).toMatchObject({ total: 2, items: [{ name: "alpha" }], next: null });
    const back = await server.send("GET", textOf(second.body["previous"]));
    expect(back.body["items"]).toEqual(first.body["items"]);
  });

  test("pages through the list with the total of all matches", async () => {
    const { body } = await server.send("GET", "/automation-studio/workflows?limit=2&skip=0&include=name");
    expect(body).toMatchObject({
      count: 2,
      end: 2,
      limit: 2,
      skip: 0,
      total: 3,
      previous: null,
      items: [{ name: "alpha" }, { name: "beta" }],
    });
    const next = await server.send("GET", textOf(body["next"]));
    expect(next.body).toMatchObject({
      count: 1,
      end: 3,
      skip: 2,
      total: 3,
      next: null,
      previous: expect.stringContaining("skip=0"),
    });
    expect((await server.send("GET", "/automation-studio/workflows")).body).toMatchObject({ limit: 25, count: 3 });
  });

  test.each([
    ["equals[name]=beta", ["beta"]],
    ["contains[name]=A", ["alpha", "beta", "gamma"]],
    ["starts-with[name]=ga", ["gamma"]],
    ["in[name]=alpha,gamma&order=-1", ["gamma", "alpha"]],
    ["equalsField=name&equals=alpha", ["alpha"]],
  ])("filters by %s", async (query, names) => {
    const { body } = await server.send("GET", `/automation-studio/workflows?${query}`);
    expect(listOf<{ name: string }>(body["items"]).map(({ name }) => name)).toEqual(names);
  });

  test("schemas and problems are told without storing", async () => {
    const workflow = twoTasks("new");
    const schemas = await server.send("POST", "/workflow_builder/workflows/schemas", { workflow });
    expect(schemas.body).toMatchObject({ inputSchema: { required: ["site"] }, outputSchema: { type: "object" } });
    const problems = await server.send("POST", "/automation-studio/workflows/validate", { workflow });
    expect(problems.body).toMatchObject({
      errors: [],
      warnings: [
        { task: "a", name: "stub", message: "No config found for Application: WorkFlowEngine" },
        { task: "b" },
      ],
    });
    expect(await server.store.count("workflows", {})).toBe(3);
  });
});
