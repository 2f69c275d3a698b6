import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import {
  prefix,
  projectCalls,
  projectFile,
  projectId,
  projectsPath,
  transformation,
  transformationId,
} from "./project-fixture.ts";
import { createStudioServer, textOf, type StudioServer } from "./studio-server.ts";

let server: StudioServer;
let calls: ReturnType<typeof projectCalls>;
beforeEach(async () => {
  server = await createStudioServer();
  calls = projectCalls(server);
});
afterEach(() => server.close());

describe("importing a project", () => {
  test("stores every component in the collection of its kind, under its project's name, and gives the file back", async () => {
    const file = projectFile();
    expect((await calls.importFile(file)).body["metadata"]).toEqual({ failedComponents: [], unresolvedReferences: [] });
    expect(await calls.everything()).toEqual({
      projects: 1,
      workflows: 2,
      transformations: 1,
      templates: 1,
      json_forms: 1,
      mop_templates: 1,
      mop_analytic_templates: 1,
    });
    const namespace = { type: "project", _id: projectId, name: "Campus" };
    expect((await server.store.read("mop_templates", `${prefix}Checks`))?.document).toEqual({
      _id: `${prefix}Checks`,
      os: "",
      name: `${prefix}Checks`,
      commands: [],
      namespace,
    });
    expect((await server.store.read("json_forms", "64a0000000000000000000c3"))?.document).toMatchObject({
      id: "64a0000000000000000000c3",
      name: `${prefix}Ask`,
      namespace,
    });
    expect((await server.workflows.get(`${prefix}Parent`, systemCaller))._id).toBe(
      "8cfee39c-0736-4f9c-b24f-b78fed3c66d2",
    );
    expect(JSON.stringify(await calls.exportFile(projectId))).toBe(JSON.stringify(file));
  });

  test("finds a transformation by its id, by its reference, by its name and by what goes in and out", async () => {
    await calls.importFile(projectFile());
    const slots = { incoming: ["x"], outgoing: ["y"], names: [], projectId };
    const found = async (reference: object) =>
      (await server.transformations.findReferred({ id: "none", ...slots, ...reference }))?._id;
    expect(await found({ id: transformationId })).toBe(transformationId);
    expect(await found({ id: "64a0000000000000000000ff", projectId: undefined })).toBe(transformationId);
    expect(await found({ names: ["Shape"], incoming: [] })).toBe(transformationId);
    expect(await found({})).toBe(transformationId);
    expect(await found({ outgoing: ["z"] })).toBeUndefined();
    expect(await found({ projectId: undefined })).toBeUndefined();
  });

  test("under new ids lets every reference follow", async () => {
    await calls.importFile(projectFile());
    const { body } = await calls.importFile(projectFile(), { conflictMode: "insert-new" });
    const newId = textOf(body["data"]?.["_id"]);
    expect(body["data"]).toMatchObject({ name: "Campus (1)", vendorMember: [1, { z: null }] });
    expect(newId).not.toBe(projectId);
    const parent = await server.workflows.get(`@${newId}: Parent`, systemCaller);
    const [shaped] = await server.store.find("transformations", { "namespace._id": newId });
    expect(parent.tasks).toMatchObject({
      a: { variables: { incoming: { workflow: `@${newId}: Child` } } },
      b: { variables: { incoming: { tr_id: shaped?.["_id"] } } },
      c: { variables: { incoming: { template: `@${newId}: Checks` } } },
    });
    expect(parent.errors).toEqual([]);
    expect(parent.warnings?.filter(({ message }) => message.startsWith("Cannot find"))).toEqual([]);
    expect(await calls.everything()).toMatchObject({ projects: 2, workflows: 4, json_forms: 2, mop_templates: 2 });
  });

  test("over an existing one keeps its id and members, replaces its documents and removes what the file no longer has", async () => {
    await calls.importFile(projectFile());
    const members = [{ type: "group", role: "viewer", reference: "g1", name: "readers" }];
    await server.send("PATCH", `${projectsPath}/${projectId}`, { members });
    const file = projectFile();
    const smaller = {
      ...file,
      _id: "64a0c0ffee64a0c0ffee64ff",
      components: file.components.slice(0, 3),
      folders: file.folders.slice(0, 2),
    };
    expect((await calls.importFile(smaller)).status).toBe(409);
    const { body } = await calls.importFile(smaller, { conflictMode: "overwrite" });
    expect(body["data"]).toMatchObject({ _id: projectId, members });
    expect(await calls.everything()).toMatchObject({
      projects: 1,
      workflows: 2,
      transformations: 1,
      templates: 0,
      json_forms: 0,
      mop_templates: 0,
      mop_analytic_templates: 0,
    });
  });

  test("never takes a document away from somebody else: such a component gets a new id", async () => {
    await server.send("POST", "/transformations/import", transformation("Mine", transformationId));
    await calls.importFile(projectFile());
    expect((await server.store.read("transformations", transformationId))?.document["name"]).toBe("Mine");
    const parent = await server.workflows.get(`${prefix}Parent`, systemCaller);
    const [shaped] = await server.store.find("transformations", { "namespace._id": projectId });
    expect(parent.tasks["b"]?.variables?.incoming?.["tr_id"]).toBe(shaped?.["_id"]);
    expect(shaped?.["_id"]).not.toBe(transformationId);
  });

  test("that fails at its last component leaves nothing behind", async () => {
    await server.store.commit([
      { kind: "insert", collection: "mop_analytic_templates", document: { _id: "other", name: `${prefix}Compare` } },
    ]);
    const { status, body } = await calls.importFile(projectFile());
    expect([status, body["code"]]).toEqual([409, "CONFLICT"]);
    expect(await calls.everything()).toEqual({
      projects: 0,
      workflows: 0,
      transformations: 0,
      templates: 0,
      json_forms: 0,
      mop_templates: 0,
      mop_analytic_templates: 1,
    });
  });

  test("names the components of a kind it does not know and takes the others", async () => {
    const file = projectFile();
    const strange = { iid: 9, type: "hologram", reference: "h1", folder: "/", document: { name: "Strange" } };
    const { status, body } = await calls.importFile({ ...file, components: [...file.components, strange] });
    expect(status).toBe(200);
    expect(body["metadata"]?.["failedComponents"]).toEqual([
      { iid: 9, type: "hologram", reference: "h1", message: "The type hologram is not known" },
    ]);
  });

  test.each([
    ["two components of one iid", { first: { iid: 2 } }, "/body/project/components/1/iid"],
    ["two components of one reference", { first: { reference: "r2" } }, "/body/project/components/1/reference"],
    [
      "two components of one name",
      { first: { document: workflowOf("w2", {}, []) } },
      "/body/project/components/1/document/name",
    ],
    [
      "a workflow without tasks",
      { first: { document: { name: "w", transitions: {} } } },
      "/body/project/components/0/document/tasks",
    ],
    [
      "folders that are no tree",
      { folders: [{ nodeType: "folder", name: "x", children: [{ nodeType: "component" }] }] },
      "/body/project/folders/0",
    ],
  ])(
    "with %s is refused and names the place",
    async (_kind, { first = {}, folders = [] }: { first?: object; folders?: object[] }, path) => {
      const component = (iid: number) => ({
        iid,
        type: "workflow",
        reference: `r${iid}`,
        document: workflowOf(`w${iid}`, {}, []),
      });
      const { status, body } = await calls.importFile({
        name: "P",
        folders,
        components: [{ ...component(1), ...first }, component(2)],
      });
      expect(status).toBe(400);
      expect(calls.places(body)).toContain(path);
      expect(await calls.everything()).toMatchObject({ projects: 0, workflows: 0 });
    },
  );

  test("cannot claim the document of somebody else", async () => {
    await server.send("POST", "/workflow_builder/import", { workflow: workflowOf("Secret", {}, []) });
    const { _id } = await server.workflows.get("Secret", systemCaller);
    const [first] = projectFile().components;
    await calls.importFile({ ...projectFile(), components: [{ ...first, documentId: _id }] });
    expect(JSON.stringify(await calls.exportFile(projectId))).not.toContain("Secret");
    await server.send("DELETE", `${projectsPath}/${projectId}`);
    expect(await server.workflows.find("Secret", systemCaller)).toBeDefined();
  });
});
