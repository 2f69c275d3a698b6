import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import {
  sendAbout,
  sightRoutes,
  storeWorkflow,
  type NamedWorkflow,
  type SightRoute,
} from "../../support/workflow-sight.ts";

const roles = ["engineering", "operator", "readonly"] as const;
type Role = (typeof roles)[number];
const rolesThat: Readonly<Record<SightRoute["roles"], readonly Role[]>> = {
  read: roles,
  work: ["engineering", "operator"],
  write: ["engineering"],
};

/** Somebody of each role in a group of the workflow, and somebody of each role in none. */
type People = Readonly<Record<Role, SearchPerson>>;

interface ItemList {
  items: NamedWorkflow[];
  total: number;
}
interface ResultList {
  results: NamedWorkflow[];
  total: number;
}
interface Refusal {
  code: string;
  message: string;
}

describe("groups of workflows", () => {
  let platform: TestPlatform;
  let members: People;
  let others: People;
  let made = 0;

  const peopleOf = async (kind: string): Promise<People> => {
    const people = {} as Record<Role, SearchPerson>;
    for (const role of roles) people[role] = await addSearchPerson(platform, `${kind}-${role}`, role);
    return people;
  };
  const memberGroups = () => roles.map((role) => members[role].groupId);

  beforeAll(async () => {
    platform = await startTestPlatform();
    members = await peopleOf("member");
    others = await peopleOf("other");
  });
  afterAll(() => platform.stop());

  const kinds: readonly { kind: string; groups: () => unknown[]; isForAll: boolean }[] = [
    { kind: "no groups", groups: () => [], isForAll: true },
    { kind: "the group of old documents", groups: () => ["default"], isForAll: true },
    { kind: "groups", groups: memberGroups, isForAll: false },
    { kind: "that group and others", groups: () => ["default", ...memberGroups()], isForAll: false },
  ];

  describe.each(sightRoutes)("$name", (route) => {
    it.each(kinds)("of a workflow with $kind", async ({ groups, isForAll }) => {
      const about = async (person?: SearchPerson) => {
        const workflow = await storeWorkflow(platform, `sight ${++made}`, groups());
        const reply = await sendAbout(platform, route, workflow, person);
        return reply.status === 403 ? "no role" : route.shows(reply, workflow) ? "seen" : "hidden";
      };
      const expected = (role: Role, isSeen: boolean) =>
        !rolesThat[route.roles].includes(role) ? "no role" : isSeen ? "seen" : "hidden";
      expect(await about()).toBe("seen");
      for (const role of roles) {
        expect([role, await about(members[role])]).toEqual([role, expected(role, true)]);
        expect([role, await about(others[role])]).toEqual([role, expected(role, isForAll)]);
      }
    });
  });

  it("decide what lists count, page by page", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `paged ${String.fromCodePoint(97 + at)}`);
    for (const [at, name] of names.entries()) await storeWorkflow(platform, name, at % 3 === 0 ? [] : memberGroups());
    const visible = (isMember: boolean) => names.filter((_, at) => isMember || at % 3 === 0);
    for (const isMember of [true, false]) {
      const { token } = (isMember ? members : others).readonly;
      const listed: string[] = [];
      const found: string[] = [];
      for (let skip = 0; skip < names.length; skip += 3) {
        const path = `/automation-studio/workflows?starts-with[name]=paged&limit=3&skip=${skip}&include=name`;
        const { items, total } = (await platform.request<ItemList>("GET", path, undefined, token)).body;
        expect(total).toBe(visible(isMember).length);
        listed.push(...items.map(({ name }) => name));
        const options = {
          query: { name: { $regex: "^paged" } },
          sort: { name: 1 },
          skip,
          limit: 3,
          fields: { name: 1 },
        };
        const search = { options };
        const page = (await platform.request<ResultList>("POST", "/workflow_engine/workflows/search", search, token))
          .body;
        expect(page.total).toBe(visible(isMember).length);
        found.push(...page.results.map(({ name }) => name));
      }
      expect([listed, found]).toEqual([visible(isMember), visible(isMember)]);
    }
  });

  it("are not found out by a query about them", async () => {
    const { name } = await storeWorkflow(platform, "asked about", memberGroups());
    const { token } = others.readonly;
    const [groupId = ""] = memberGroups();
    const queries = [{ groups: groupId }, { $or: [{ name }, { name: "x" }] }, { $nor: [{ name: "x" }], name }];
    for (const query of queries) {
      const reply = await platform.request<ResultList>(
        "POST",
        "/workflow_engine/workflows/search",
        { options: { query } },
        token,
      );
      expect(reply.body).toMatchObject({ results: [], total: 0 });
    }
    const listed = await platform.request<ItemList>(
      "GET",
      `/automation-studio/workflows?equals[groups]=${groupId}`,
      undefined,
      token,
    );
    expect(listed.body).toMatchObject({ items: [], total: 0 });
  });

  it("of any form are judged alike by lists and by name", async () => {
    const [groupId = ""] = memberGroups();
    const forms: unknown[][] = [[[groupId]], [1, null], [{ _id: groupId }], [groupId, 7], [`${groupId} `], [""]];
    for (const [at, groups] of forms.entries()) {
      const { name } = await storeWorkflow(platform, `form ${at}`, groups);
      for (const { token } of [members.engineering, others.engineering]) {
        const path = `/automation-studio/workflows?equals[name]=${encodeURIComponent(name)}`;
        const { total } = (await platform.request<ItemList>("GET", path, undefined, token)).body;
        const one = await platform.request("GET", `/automation-studio/workflows/detailed/${name}`, undefined, token);
        expect([at, one.status]).toEqual([at, total === 1 ? 200 : 404]);
      }
    }
  });

  it("keep a name taken; the refusal says no more than that", async () => {
    const { name } = await storeWorkflow(platform, "taken", memberGroups());
    const mine = await storeWorkflow(platform, "mine", []);
    const { token } = others.engineering;
    const workflow = workflowOf(name, {}, ["start > end"]);
    const attempts: [string, string, unknown][] = [
      ["POST", "/automation-studio/automations", { automation: workflow }],
      ["POST", "/automation-studio/automations/import", { automations: [workflow] }],
      ["POST", "/workflow_builder/import", { workflow, options: {} }],
      ["POST", "/workflow_builder/workflows/save", { workflow }],
      ["POST", "/workflow_builder/workflows/rename", { workflow: mine.name, newName: name }],
      ["PUT", `/automation-studio/automations/${mine._id}`, { update: { name } }],
    ];
    for (const [method, path, body] of attempts) {
      const reply = await platform.request<Refusal>(method, path, body, token);
      expect([path, reply.status, reply.body.message]).toEqual([
        path,
        409,
        `workflow with name \`${name}\` already exists`,
      ]);
    }
    expect(await platform.send("GET", `/automation-studio/workflows/detailed/${name}`)).toMatchObject({
      groups: memberGroups(),
    });
  });

  it("count as they are stored now", async () => {
    const { _id, name } = await storeWorkflow(platform, "changing hands", memberGroups());
    const path = `/automation-studio/workflows/detailed/${encodeURIComponent(name)}`;
    const sees = async ({ token }: SearchPerson) => (await platform.request("GET", path, undefined, token)).status;
    expect([await sees(members.operator), await sees(others.operator)]).toEqual([200, 404]);
    await platform.send("PUT", `/automation-studio/automations/${_id}`, {
      update: { groups: [others.operator.groupId] },
    });
    expect([await sees(members.operator), await sees(others.operator)]).toEqual([404, 200]);
  });

  it("do not keep a job from starting a child that its author chose", async () => {
    const { name } = await storeWorkflow(platform, "inner", memberGroups());
    const incoming = { task: "", workflow: name, variables: {}, data_array: "", transformation: "", loopType: "" };
    const outer = workflowOf("outer", { c: { name: "childJob", type: "operation", actor: "job", incoming } }, [
      "start > c",
      "c > end",
    ]);
    await platform.importWorkflow(outer);
    const started = await platform.request<{ data: { status: string } }>(
      "POST",
      "/operations-manager/jobs/start?wait=5000",
      { workflow: "outer", options: {} },
      others.engineering.token,
    );
    expect(started.body.data.status).toBe("complete");
  });
});
