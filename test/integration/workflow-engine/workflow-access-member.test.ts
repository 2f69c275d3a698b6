import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withAccess } from "../../../src/core/group-access.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

type StoredDocument = JsonObject & { _id: string };

/** What a stored workflow has for lists alone: of no use and not to be seen outside. */
describe("the access text of workflows", () => {
  let platform: TestPlatform;
  let member: SearchPerson;
  let other: SearchPerson;
  let made = 0;

  beforeAll(async () => {
    platform = await startTestPlatform();
    member = await addSearchPerson(platform, "member", "engineering");
    other = await addSearchPerson(platform, "other", "engineering");
  });
  afterAll(() => platform.stop());

  /** A workflow for the member that says of itself that it is for the other one. */
  const forged = (name = `forged ${++made}`) => ({
    ...workflowOf(name, {}, ["start > end"]),
    groups: [member.groupId],
    access: withAccess({ groups: [other.groupId] }).access,
  });
  const total = async (name: string, { token }: SearchPerson) => {
    const path = `/automation-studio/workflows?equals[name]=${encodeURIComponent(name)}`;
    return (await platform.request<{ total: number }>("GET", path, undefined, token)).body.total;
  };
  const expectForMemberAlone = async (name: string) =>
    expect([name, await total(name, member), await total(name, other)]).toEqual([name, 1, 0]);
  const created = async (automation: object) =>
    (await platform.send<{ created: StoredDocument }>("POST", "/automation-studio/automations", { automation }))
      .created;
  const projectOf = async (name: string, components: object[]) => {
    const project = { name, components };
    return (await platform.send<{ data: { _id: string } }>("POST", "/automation-studio/projects", project)).data._id;
  };

  it("is what the groups say, however a document with a member of that name comes in", async () => {
    const answers: unknown[] = [];
    const { access, ...plain } = forged("first");
    const first = await created({ ...plain, access });
    answers.push(first);
    const second = forged();
    await platform.send("POST", "/automation-studio/automations/import", { automations: [second] });
    const third = forged();
    await platform.send("POST", "/workflow_builder/import", { workflow: third });
    const fourth = forged();
    answers.push(await platform.send("POST", "/workflow_builder/workflows/save", { workflow: fourth }));
    for (const { name } of [plain, second, third, fourth]) await expectForMemberAlone(name);

    const path = `/automation-studio/automations/${first._id}`;
    answers.push(await platform.send("PUT", path, { update: { access } }));
    await expectForMemberAlone(plain.name);
    answers.push(await platform.send("POST", "/workflow_builder/workflows/save", { workflow: { ...plain, access } }));
    await expectForMemberAlone(plain.name);
    await platform.send("POST", "/workflow_builder/workflows/rename", { workflow: plain.name, newName: "renamed" });
    await expectForMemberAlone("renamed");
    answers.push(await platform.send("PUT", path, { update: { groups: [] } }));
    expect([await total("renamed", member), await total("renamed", other)]).toEqual([1, 1]);
    for (const answer of answers) expect(answer).not.toHaveProperty("access");
  });

  it("is what the groups say in projects as well", async () => {
    const { name, ...rest } = forged();
    const { _id } = await created({ name, ...rest });
    const id = await projectOf("of forged", [{ type: "workflow", reference: _id }]);
    await expectForMemberAlone(`@${id}: ${name}`);
    await platform.send("PATCH", `/automation-studio/projects/${id}`, { name: "of forged, renamed" });
    await expectForMemberAlone(`@${id}: ${name}`);

    const file = await platform.send<{ data: { components: { document: JsonObject }[] } }>(
      "GET",
      `/automation-studio/projects/${id}/export`,
    );
    const [component] = file.data.components;
    expect(component?.document).not.toHaveProperty("access");
    if (component) component.document = { ...component.document, access: rest.access };
    for (const conflictMode of ["overwrite", "insert-new"]) {
      const request = { project: file.data, conflictMode };
      const copy = await platform.send<{ data: { _id: string } }>(
        "POST",
        "/automation-studio/projects/import",
        request,
      );
      await expectForMemberAlone(`@${copy.data._id}: ${name}`);
    }
    const copies = await projectOf("copies", []);
    const added = { components: [{ type: "workflow", reference: _id }], mode: "copy" };
    await platform.send("POST", `/automation-studio/projects/${copies}/components/add`, added);
    await expectForMemberAlone(`@${copies}: ${name}`);
  });

  it("is in no answer, and no request can name it", async () => {
    const { name } = forged();
    const { _id } = await created({ ...forged(name), groups: [] });
    const listed = `/automation-studio/workflows?equals[name]=${encodeURIComponent(name)}`;
    const search = { options: { query: { name } } };
    const shown: unknown[] = [
      ...(await platform.send<{ items: object[] }>("GET", listed)).items,
      ...(await platform.send<{ items: object[] }>("GET", `${listed}&exclude=tasks`)).items,
      ...(await platform.send<{ results: object[] }>("POST", "/workflow_engine/workflows/search", search)).results,
      await platform.send("GET", `/automation-studio/workflows/detailed/${name}`),
      await platform.send("GET", `/workflow_engine/workflows/detailed/${name}`),
      await platform.send("POST", "/workflow_builder/export", { options: { name } }),
    ];
    const started = { workflow: name, options: {} };
    const job = await platform.send<{ data: object }>("POST", "/operations-manager/jobs/start?wait=5000", started);
    shown.push(job.data);
    const removed = await platform.send<{ value: object }>("DELETE", `/workflow_builder/workflows/delete/${_id}`);
    shown.push(removed.value);
    expect(shown.length).toBe(8);
    for (const answer of shown) expect(answer).not.toHaveProperty("access");

    const lists = ["equals[access]=x", "contains[access]=x", "include=access", "exclude=access", "sort=access"];
    for (const query of lists) {
      const reply = await platform.request("GET", `/automation-studio/workflows?${query}`);
      expect([query, reply.status]).toEqual([query, 400]);
    }
    const searches = [{ query: { access: "x" } }, { sort: { access: 1 } }, { fields: { access: 1 } }];
    for (const options of searches) {
      const reply = await platform.request("POST", "/workflow_engine/workflows/search", { options });
      expect([options, reply.status]).toEqual([options, 400]);
    }
  });
});
