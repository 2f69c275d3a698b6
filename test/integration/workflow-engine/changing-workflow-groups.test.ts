import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform, type TestReply } from "../../support/platform.ts";
import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { storeWorkflow, type NamedWorkflow } from "../../support/workflow-sight.ts";

interface Refusal {
  message: string;
}

describe("changing the groups of a workflow", () => {
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

  const pathOf = async (groups: readonly unknown[]) => {
    const { name } = await storeWorkflow(platform, `grouped ${++made}`, groups);
    return `/workflow_builder/workflows/${encodeURIComponent(name)}/groups`;
  };
  const groupsAt = (path: string) => platform.send<string[]>("GET", path);

  it("adds one group after the other and takes it away again; lists follow", async () => {
    const path = await pathOf(["default"]);
    const name = `grouped ${made}`;
    const isListed = async ({ token }: SearchPerson) => {
      const list = `/automation-studio/workflows?equals[name]=${encodeURIComponent(name)}`;
      return (await platform.request<{ total: number }>("GET", list, undefined, token)).body.total === 1;
    };
    expect(await groupsAt(path)).toEqual([]);
    const first = await platform.request("POST", path, { group: member.groupId }, member.token);
    expect(first.body).toEqual({ status: "success", groups: [member.groupId] });
    expect([await isListed(member), await isListed(other)]).toEqual([true, false]);
    const both = { status: "success", groups: [member.groupId, other.groupId] };
    for (let time = 0; time < 2; time++)
      expect(await platform.send("POST", path, { group: other.groupId })).toEqual(both);
    expect(await groupsAt(path)).toEqual(both.groups);
    const left = await platform.request("DELETE", `${path}/${member.groupId}`, undefined, member.token);
    expect([left.status, (left.body as Refusal).message]).toEqual([
      403,
      "You would lose access to the workflow: keep one of your own groups",
    ]);
    await platform.send("DELETE", `${path}/${member.groupId}`);
    expect([await isListed(member), await isListed(other)]).toEqual([false, true]);
    expect(await platform.send("PUT", path, { groups: [member.groupId, member.groupId] })).toEqual({
      status: "success",
      groups: [member.groupId],
    });
    expect(await platform.send("DELETE", path)).toEqual({ status: "success", groups: [] });
    expect([await isListed(member), await isListed(other)]).toEqual([true, true]);
  });

  it("keeps who is no administrator from losing access and from opening it to everybody", async () => {
    const path = await pathOf([member.groupId]);
    const refused: [string, string, unknown, string][] = [
      ["PUT", path, { groups: [other.groupId] }, "You would lose access to the workflow: keep one of your own groups"],
      ["PUT", path, { groups: [] }, "Only an administrator may open a workflow to everybody"],
      ["DELETE", path, undefined, "Only an administrator may open a workflow to everybody"],
      ["DELETE", `${path}/${member.groupId}`, undefined, "Only an administrator may open a workflow to everybody"],
    ];
    for (const [method, at, body, message] of refused) {
      const reply = await platform.request<Refusal>(method, at, body, member.token);
      expect([method, body, reply.status, reply.body.message]).toEqual([method, body, 403, message]);
    }
    const open = await pathOf([]);
    expect((await platform.request("POST", open, { group: other.groupId }, member.token)).status).toBe(403);
    expect([await groupsAt(path), await groupsAt(open)]).toEqual([[member.groupId], []]);
    expect((await platform.request("DELETE", open, undefined, member.token)).status).toBe(200);
  });

  it("keeps them so where the whole document is written, and takes it with the groups as they are", async () => {
    const restricted = await storeWorkflow(platform, `grouped ${++made}`, ["default", member.groupId, member.groupId]);
    const open = await storeWorkflow(platform, `grouped ${++made}`, []);
    type Write = (workflow: NamedWorkflow, changes: object, token?: string) => Promise<TestReply<Refusal>>;
    const read = ({ name }: NamedWorkflow) =>
      platform.send<object>("GET", `/automation-studio/workflows/detailed/${encodeURIComponent(name)}`);
    const put: Write = ({ _id }, update, token) =>
      platform.request("PUT", `/automation-studio/automations/${_id}`, { update }, token);
    const save: Write = async (workflow, changes, token) => {
      const changed = { ...(await read(workflow)), ...changes };
      return platform.request("POST", "/workflow_builder/workflows/save", { workflow: changed }, token);
    };
    for (const write of [put, save]) {
      const losing = "You would lose access to the workflow: keep one of your own groups";
      const opening = "Only an administrator may open a workflow to everybody";
      for (const [workflow, groups, message] of [
        [restricted, [other.groupId], losing],
        [restricted, [], opening],
        [restricted, ["default"], opening],
        [restricted, "everybody", opening],
        [open, [other.groupId], losing],
      ] as const) {
        const reply = await write(workflow, { groups, description: "changed" }, member.token);
        expect([groups, reply.status, reply.body.message]).toEqual([groups, 403, message]);
      }
      for (const workflow of [restricted, open])
        expect(await read(workflow)).not.toMatchObject({ description: "changed" });
      for (const [workflow, changes] of [
        [restricted, { summary: "kept" }],
        [restricted, { groups: [member.groupId, "default"] }],
        [restricted, { groups: [other.groupId, member.groupId] }],
        [open, { groups: ["default"] }],
      ] as const) {
        expect([changes, (await write(workflow, changes, member.token)).status]).toEqual([changes, 200]);
      }
    }
    expect((await put(restricted, { groups: [] })).status).toBe(200);
  });

  it("names what does not exist", async () => {
    const path = await pathOf([member.groupId]);
    const unknown = await platform.request<Refusal>("PUT", path, { groups: ["no-such", member.groupId, "nor-this"] });
    expect([unknown.status, unknown.body.message]).toEqual([400, "Invalid group: no-such, nor-this"]);
    const unlisted = await platform.request<Refusal>("DELETE", `${path}/${other.groupId}`);
    expect([unlisted.status, unlisted.body.message]).toEqual([
      404,
      `The workflow is not restricted to group ${other.groupId}`,
    ]);
    for (const [token, name] of [[undefined, "no such"] as const, [other.token, `grouped ${made}`] as const]) {
      const at = `/workflow_builder/workflows/${encodeURIComponent(name)}/groups`;
      const reply = await platform.request<Refusal>("POST", at, { group: member.groupId }, token);
      expect([reply.status, reply.body.message]).toEqual([404, `Could not find workflow: ${name}`]);
    }
  });
});
