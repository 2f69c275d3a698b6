import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { workflowOf } from "../../support/workflow-builder.ts";
import { projectsPath } from "./project-fixture.ts";
import { createStudioServer, listOf, textOf, type AnyBody, type StudioServer } from "./studio-server.ts";

interface Component {
  iid: number;
  reference: string;
  name: string;
}

/** Both own the project; its one workflow with groups is ada's. */
describe("workflows of a project that a member may not see", () => {
  let server: StudioServer;
  let path: string;
  let hidden: string;
  const data = ({ body }: { body: AnyBody }) => body["data"] as AnyBody;
  const store = async (name: string, groups: string[], username = "admin") => {
    const automation = { ...workflowOf(name, {}, ["start > end"]), groups };
    const { body } = await server.send("POST", "/automation-studio/automations", { automation }, username);
    return textOf(body["created"]?.["_id"]);
  };
  const componentsFor = async (username: string) =>
    listOf<Component>(data(await server.send("GET", path, undefined, username))["components"]);

  beforeEach(async () => {
    server = await createStudioServer();
    hidden = await store("Restricted", ["group-of-ada"]);
    const open = await store("Open", []);
    const components = [hidden, open].map((reference) => ({ type: "workflow", reference }));
    const project = data(await server.send("POST", projectsPath, { name: "Shared", components }, "ada"));
    path = `${projectsPath}/${textOf(project["_id"])}`;
    const owner = (username: string) => ({ type: "account", role: "owner", reference: `id-of-${username}`, username });
    await server.send("PATCH", path, { members: [owner("ada"), owner("bob")] });
  });
  afterEach(() => server.close());

  test("is there for its members, without its name for who may not see it", async () => {
    const named = (await componentsFor("ada")).map(({ name }) => name.replace(/^@[^:]*: /u, ""));
    expect(named).toEqual(["Restricted", "Open"]);
    const shown = await componentsFor("bob");
    expect(shown.map(({ reference }) => reference)).toContain(hidden);
    expect(JSON.stringify(shown)).not.toContain("Restricted");
    expect(JSON.stringify(shown)).toContain("Open");
    const listed = await server.send("GET", projectsPath, undefined, "bob");
    expect(JSON.stringify(listed.body)).not.toContain("Restricted");
    const changed = await server.send("PATCH", path, { description: "d" }, "bob");
    expect(changed.status).toBe(200);
    expect(JSON.stringify(changed.body)).not.toContain("Restricted");
  });

  test("is taken along by nobody who may not see it", async () => {
    for (const [username, status] of [["bob", 403] as const, ["ada", 200] as const, ["admin", 200] as const]) {
      const file = await server.send("GET", `${path}/export`, undefined, username);
      expect([username, file.status]).toEqual([username, status]);
      expect([username, JSON.stringify(file.body).includes("Restricted")]).toEqual([username, status === 200]);
    }
  });

  test("is neither moved nor copied into a project of others", async () => {
    const loose = await store("Loose", ["group-of-ada"]);
    const own = data(await server.send("POST", projectsPath, { name: "Bob's", components: [] }, "bob"));
    const ownPath = `${projectsPath}/${textOf(own["_id"])}/components/add`;
    for (const mode of ["move", "copy"])
      for (const reference of [loose, "Loose", hidden]) {
        const body = { components: [{ type: "workflow", reference }], mode };
        const reply = await server.send("POST", ownPath, body, "bob");
        expect([mode, reply.status, reply.body["message"]]).toEqual([mode, 404, `Cannot find workflow ${reference}`]);
      }
    const body = { components: [{ type: "workflow", reference: loose }], mode: "copy" };
    expect((await server.send("POST", `${path}/components/add`, body, "ada")).status).toBe(200);
  });

  test("is not removed, alone or with the project, nor overwritten", async () => {
    const [component] = await componentsFor("ada");
    const componentPath = `${path}/components/${component?.iid}`;
    expect((await server.send("DELETE", componentPath, undefined, "bob")).status).toBe(404);
    expect((await server.send("DELETE", `${path}/components/${hidden}`, undefined, "bob")).status).toBe(404);
    expect((await server.send("DELETE", path, undefined, "bob")).status).toBe(403);
    const project = data(await server.send("GET", `${path}/export`, undefined, "ada"));
    const emptied = { project: { ...project, components: [], folders: [] }, conflictMode: "overwrite" };
    expect((await server.send("POST", `${projectsPath}/import`, emptied, "bob")).status).toBe(403);
    expect((await componentsFor("ada")).map(({ reference }) => reference)).toContain(hidden);
    expect((await server.send("DELETE", componentPath, undefined, "ada")).status).toBe(200);
    expect((await server.send("DELETE", path, undefined, "bob")).status).toBe(200);
  });

  test("keeps its groups when the project is overwritten, but for an administrator", async () => {
    const file = data(await server.send("GET", `${path}/export`, undefined, "ada"));
    const overwrite = async (groups: unknown, username: string, assignNewReferences = false) => {
      const components = listOf<Component & { document: AnyBody }>(file["components"]).map((component) =>
        component.reference === hidden
          ? { ...component, document: { ...component.document, groups, description: "overwritten" } }
          : component,
      );
      const body = { project: { ...file, components }, conflictMode: "overwrite", assignNewReferences };
      return server.send("POST", `${projectsPath}/import`, body, username);
    };
    const opening = "Only an administrator may open a workflow to everybody";
    const losing = "You would lose access to the workflow: keep one of your own groups";
    for (const isNew of [false, true])
      for (const [groups, message] of [
        [[], opening],
        [["default"], opening],
        [undefined, opening],
        [["group-of-bob"], losing],
      ] as const) {
        const { status, body } = await overwrite(groups, "ada", isNew);
        expect([groups, status, body["message"]]).toEqual([groups, 403, message]);
        const [problem] = listOf<{ path: string }>((body["metadata"] as AnyBody)["errors"]);
        expect(problem?.path).toBe("/body/project/components/0/document/groups");
      }
    expect(JSON.stringify(await server.send("GET", `${path}/export`, undefined, "ada"))).not.toContain("overwritten");
    expect((await overwrite(["group-of-ada", "group-of-bob"], "ada")).status).toBe(200);
    expect((await overwrite(["group-of-bob", "group-of-ada", "default"], "bob")).status).toBe(200);
    expect((await overwrite([], "admin")).status).toBe(200);
  });
});
