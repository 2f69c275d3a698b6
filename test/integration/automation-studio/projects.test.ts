import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import { prefix, projectCalls, projectFile, projectId, projectsPath } from "./project-fixture.ts";
import { createStudioServer, listOf, textOf, type StudioServer } from "./studio-server.ts";

let server: StudioServer;
let calls: ReturnType<typeof projectCalls>;
beforeEach(async () => {
  server = await createStudioServer();
  calls = projectCalls(server);
});
afterEach(() => server.close());

describe("a project's life", () => {
  const create = async (name: string, username = "admin") =>
    (await server.send("POST", projectsPath, { name, components: [] }, username)).body["data"];

  test("begins empty, with its maker as owner", async () => {
    const { status, body } = await server.send("POST", projectsPath, { name: "New", components: [] }, "ada");
    expect(status).toBe(200);
    expect(body["data"]).toMatchObject({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/u),
      name: "New",
      components: [],
      folders: [],
      members: [{ type: "account", role: "owner", reference: "id-of-ada", username: "ada" }],
      accessControl: { manage: ["id-of-ada"], write: ["id-of-ada"], execute: ["id-of-ada"], read: ["id-of-ada"] },
    });
    const again = await server.send("POST", projectsPath, { name: "New" });
    expect([again.status, again.body["message"]]).toEqual([409, "Project with name `New` already exists"]);
  });

  test("is listed with the exact total", async () => {
    for (const name of ["one", "two", "three"]) await create(name);
    const { body } = await server.send("GET", `${projectsPath}?limit=2`);
    expect(body["metadata"]).toEqual({
      skip: 0,
      limit: 2,
      nextPageSkip: 2,
      previousPageSkip: null,
      total: 3,
      currentPageSize: 2,
      hints: [],
    });
    const named = await server.send("GET", `${projectsPath}?equals[name]=two`);
    expect(named.body).toMatchObject({ data: [{ name: "two" }], metadata: { total: 1 } });
  });

  test("a renamed project is named so on its documents too", async () => {
    await calls.importFile(projectFile());
    await server.send("PATCH", `${projectsPath}/${projectId}`, { name: "Branch", description: "new" });
    expect((await server.workflows.get(`${prefix}Child`, systemCaller)).namespace?.name).toBe("Branch");
    expect((await server.send("GET", `${projectsPath}/${projectId}`)).body["data"]).toMatchObject({
      name: "Branch",
      description: "new",
      lastUpdatedBy: { username: "admin" },
    });
  });

  test("new folders move the components", async () => {
    await calls.importFile(projectFile());
    const folders = [
      {
        nodeType: "folder",
        name: "All",
        children: [1, 2, 3, 4, 5, 6, 7].map((iid) => ({ nodeType: "component", iid })),
      },
    ];
    const { body } = await server.send("PATCH", `${projectsPath}/${projectId}`, { folders });
    expect(listOf<{ folder: string }>(body["data"]?.["components"]).map(({ folder }) => folder)).toEqual(
      Array(7).fill("/All"),
    );
    expect(
      (await server.send("PATCH", `${projectsPath}/${projectId}`, { folders: [{ nodeType: "folder" }] })).status,
    ).toBe(400);
  });

  test("its picture is set and shown", async () => {
    const _id = textOf((await create("Pictured"))?.["_id"]);
    const picture = { imageData: "data:image/png;base64,AAAA", backgroundColor: "#102030" };
    expect((await server.send("PUT", `${projectsPath}/${_id}/thumbnail`, picture)).body["data"]).toMatchObject({
      thumbnail: picture.imageData,
      backgroundColor: "#102030",
    });
    expect((await server.send("GET", `${projectsPath}/${_id}/thumbnail`)).body["data"]).toEqual(picture);
  });

  test("ends with all its documents", async () => {
    await calls.importFile(projectFile());
    const { status, body } = await server.send("DELETE", `${projectsPath}/${projectId}`);
    expect([status, body["data"]]).toEqual([200, null]);
    expect(listOf(body["metadata"]?.["deletedComponents"]).length).toBe(7);
    expect(Object.values(await calls.everything())).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect((await server.send("GET", `${projectsPath}/${projectId}`)).status).toBe(404);
  });
});

describe("components of a project", () => {
  let id: string;
  beforeEach(async () => {
    id = textOf((await server.send("POST", projectsPath, { name: "Home" })).body["data"]?.["_id"]);
    await server.send("POST", "/workflow_builder/import", { workflow: workflowOf("Loose", {}, ["start > end"]) });
    await server.store.commit([
      { kind: "insert", collection: "mop_templates", document: { _id: "Show", name: "Show", commands: [] } },
    ]);
  });
  const add = (components: object[], mode: string) =>
    server.send("POST", `${projectsPath}/${id}/components/add`, { components, mode });

  test("are moved in with their id, or copied under a new one", async () => {
    const before = await server.workflows.get("Loose", systemCaller);
    const { status, body } = await add(
      [
        { type: "workflow", reference: before._id, folder: "/A/B" },
        { type: "mopCommandTemplate", reference: "Show" },
      ],
      "move",
    );
    expect(status).toBe(200);
    expect(body["data"]).toMatchObject({
      components: [
        { iid: 0, type: "workflow", reference: before._id, folder: "/A/B", name: `@${id}: Loose` },
        { iid: 1, type: "mopCommandTemplate", reference: `@${id}: Show`, folder: "/", name: `@${id}: Show` },
      ],
      folders: [
        { name: "A", children: [{ name: "B", children: [{ nodeType: "component", iid: 0 }] }] },
        { nodeType: "component", iid: 1 },
      ],
    });
    expect(await server.workflows.find("Loose", systemCaller)).toBeUndefined();
    expect(await server.store.read("mop_templates", "Show")).toBeUndefined();

    const other = textOf((await server.send("POST", projectsPath, { name: "Away" })).body["data"]?.["_id"]);
    const copied = await server.send("POST", `${projectsPath}/${other}/components/add`, {
      components: [{ type: "workflow", reference: before._id }],
      mode: "copy",
    });
    expect(copied.body["data"]?.["components"]).toMatchObject([{ name: `@${other}: Loose` }]);
    expect((await server.workflows.get(`@${id}: Loose`, systemCaller))._id).toBe(before._id);
    expect((await server.workflows.get(`@${other}: Loose`, systemCaller))._id).not.toBe(before._id);
  });

  test("are added all or none", async () => {
    const missing = await add(
      [
        { type: "workflow", reference: "Loose" },
        { type: "template", reference: "nowhere" },
      ],
      "move",
    );
    expect([missing.status, missing.body["message"]]).toEqual([404, "Cannot find template nowhere"]);
    expect(await server.workflows.find("Loose", systemCaller)).toBeDefined();
    expect((await add([{ type: "hologram", reference: "x" }], "move")).status).toBe(400);
  });

  test("of a project are copied only", async () => {
    await add([{ type: "workflow", reference: "Loose" }], "move");
    const { status, body } = await add([{ type: "workflow", reference: `@${id}: Loose` }], "move");
    expect([status, body["message"]]).toEqual([400, `workflow @${id}: Loose belongs to a project`]);
  });

  test("are removed with their document, by iid or reference", async () => {
    await add(
      [
        { type: "workflow", reference: "Loose" },
        { type: "mopCommandTemplate", reference: "Show" },
      ],
      "move",
    );
    expect((await server.send("DELETE", `${projectsPath}/${id}/components/0`)).status).toBe(200);
    const { body } = await server.send(
      "DELETE",
      `${projectsPath}/${id}/components/${encodeURIComponent(`@${id}: Show`)}`,
    );
    expect(body["data"]).toMatchObject({ components: [], folders: [] });
    expect(await calls.everything()).toMatchObject({ workflows: 0, mop_templates: 0 });
    expect((await server.send("DELETE", `${projectsPath}/${id}/components/0`)).status).toBe(404);
  });

  test("that are deleted elsewhere are forgotten by their project", async () => {
    await add([{ type: "workflow", reference: "Loose" }], "move");
    await server.send("DELETE", `/workflow_builder/workflows/delete/${encodeURIComponent(`@${id}: Loose`)}`);
    expect((await server.send("GET", `${projectsPath}/${id}`)).body["data"]).toMatchObject({
      components: [],
      folders: [],
    });
  });

  test("keep the name of their project", async () => {
    await add([{ type: "workflow", reference: "Loose" }], "move");
    const { _id } = await server.workflows.get(`@${id}: Loose`, systemCaller);
    const { status, body } = await server.send("PUT", `/automation-studio/automations/${_id}`, {
      update: { name: "Free" },
    });
    expect([status, body["message"]]).toEqual([400, `Name must begin with '@${id}: '`]);
    expect(
      (await server.send("PUT", `/automation-studio/automations/${_id}`, { update: { name: `@${id}: Bound` } })).status,
    ).toBe(200);
  });
});

describe("who may work with a project", () => {
  const member = (role: string, reference: string) => ({
    type: reference.startsWith("group") ? "group" : "account",
    role,
    reference,
  });
  let path: string;
  beforeEach(async () => {
    path = `${projectsPath}/${textOf((await server.send("POST", projectsPath, { name: "Guarded" }, "olga")).body["data"]?.["_id"])}`;
    const members = [member("owner", "id-of-olga"), member("editor", "group-of-ed"), member("viewer", "id-of-vi")];
    await server.send("PATCH", path, { members }, "olga");
  });

  test.each([
    ["olga", 200, 200, 200],
    ["ed", 200, 200, 403],
    ["vi", 200, 403, 403],
    ["stranger", 404, 404, 404],
    ["admin", 200, 200, 200],
  ])("%s: reads %i, changes %i, removes %i", async (username, reads, changes, removes) => {
    expect((await server.send("GET", path, undefined, username)).status).toBe(reads);
    expect((await server.send("PATCH", path, { description: "x" }, username)).status).toBe(changes);
    expect((await server.send("DELETE", path, undefined, username)).status).toBe(removes);
  });

  test("only its members see it in the list", async () => {
    const listed = async (username: string) =>
      (await server.send("GET", projectsPath, undefined, username)).body["metadata"]?.["total"];
    expect([await listed("vi"), await listed("ed"), await listed("stranger"), await listed("admin")]).toEqual([
      1, 1, 0, 1,
    ]);
  });
});
