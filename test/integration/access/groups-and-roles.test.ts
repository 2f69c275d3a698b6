import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  adminPassword,
  newPerson,
  openAccessBench,
  roleIdOf,
  type AccessBench,
  type Method,
} from "../../support/access.ts";

let bench: AccessBench;
let admin: string;

beforeEach(async () => {
  bench = await openAccessBench();
  admin = await bench.login("admin", adminPassword);
});
afterEach(() => bench.close());

const asAdmin = (method: Method, url: string, body?: unknown) =>
  bench.send(method, url, { token: admin, ...(body === undefined ? {} : { body }) });

const newGroup = async (name: string, more: object = {}) => {
  const group = {
    assignedRoles: [],
    description: "",
    inactive: false,
    memberOf: [],
    name,
    provenance: "Pronghorn",
    ...more,
  };
  return (await asAdmin("POST", "/authorization/groups", { group })).at("/data/_id");
};
const canListAccounts = async (token: string) =>
  (await bench.send("GET", "/user-management/accounts", { token })).status === 200;

describe("groups", () => {
  it("are created by both spellings, each in its own words", async () => {
    const own = await asAdmin("POST", "/user-management/groups", { name: "operators", description: "On shift" });
    expect(own.json).toMatchObject({
      status: "Created",
      data: { provenance: "local_aaa", name: "operators", description: "On shift", inactive: false },
    });
    const wrapped = await asAdmin("POST", "/user-management/groups", { group: { name: "authors" } });
    expect(wrapped.at("/data/description")).toBe("");
    const group = {
      assignedRoles: [],
      description: "",
      inactive: false,
      memberOf: [],
      name: "planners",
      provenance: "Pronghorn",
    };
    const newer = await asAdmin("POST", "/authorization/groups", { group });
    const id = newer.at("/data/_id");
    expect(newer.json).toMatchObject({
      status: "OK",
      message: `Successfully created group ${id}.`,
      data: { provenance: "Pronghorn" },
    });
    expect(await asAdmin("POST", "/authorization/groups", { group })).toMatchObject({
      status: 409,
      json: "planners already exists!",
    });
    const names = await asAdmin("GET", "/authorization/groups/list");
    expect((names.json as { name: string }[]).map(({ name }) => name)).toEqual([
      "authors",
      "operators",
      "planners",
      "pronghorn_admin",
    ]);
  });

  it("say what they have through other groups", async () => {
    const [top, reading] = [await newGroup("top"), await roleIdOf(bench, "UserManagement:apiread")];
    await asAdmin("PUT", `/user-management/groups/${top}/roles`, { roles: [reading] });
    const middle = await newGroup("middle", { memberOf: [{ groupId: top }] });
    const bottom = await newGroup("bottom", { memberOf: [{ groupId: middle, aaaManaged: false }] });
    const answer = await asAdmin("GET", `/authorization/groups/${bottom}`);
    expect(answer.json).toMatchObject({
      inheritedGroups: [{ groupId: middle }, { groupId: top }],
      inheritedRoles: [{ roleId: reading }],
    });
    expect((await asAdmin("GET", `/user-management/groups/${bottom}`)).text).toBe(answer.text);
  });

  it("give their roles, and those of their groups, to members at once", async () => {
    const { id, token } = await newPerson(bench, "ann");
    expect(await canListAccounts(token)).toBe(false);
    const top = await newGroup("top");
    const bottom = await newGroup("bottom", { memberOf: [{ groupId: top }] });
    await asAdmin("PUT", `/user-management/accounts/${id}/groups`, { groups: ["bottom"] });
    expect(await canListAccounts(token)).toBe(false);
    const roleId = await roleIdOf(bench, "UserManagement:apiread");
    for (const roles of [[roleId], [{ roleId }]]) {
      expect((await asAdmin("PUT", `/user-management/groups/${top}/roles`, roles)).status).toBe(200);
      expect(await canListAccounts(token)).toBe(true);
      await asAdmin("PUT", `/user-management/groups/${top}/roles`, { roles: [] });
      expect(await canListAccounts(token)).toBe(false);
    }
    await asAdmin("PATCH", `/authorization/groups/${top}`, { updates: { assignedRoles: [{ roleId }] } });
    expect(await canListAccounts(token)).toBe(true);
    await asAdmin("PATCH", `/authorization/groups/${bottom}`, { updates: { inactive: true } });
    expect(await canListAccounts(token)).toBe(false);
  });

  it("are updated in what is named, by identifier or name", async () => {
    const id = await newGroup("planners", { description: "Before" });
    const updated = await asAdmin("PATCH", "/authorization/groups/planners", { updates: { description: "After" } });
    expect(updated.json).toMatchObject({ status: "OK", data: { _id: id, name: "planners", description: "After" } });
    expect((await asAdmin("PATCH", `/authorization/groups/${id}`, { description: "bare" })).status).toBe(400);
    expect((await asAdmin("PATCH", `/authorization/groups/${id}`, { updates: {} })).json).toBe(
      "No applicable updates requested",
    );
    const taken = await asAdmin("PATCH", `/authorization/groups/${id}`, { updates: { name: "pronghorn_admin" } });
    expect(taken).toMatchObject({ status: 409, json: "pronghorn_admin already exists!" });
  });

  it("never contain themselves", async () => {
    const top = await newGroup("top");
    const bottom = await newGroup("bottom", { memberOf: [{ groupId: top }] });
    const cycle = await asAdmin("PATCH", `/authorization/groups/${top}`, {
      updates: { memberOf: [{ groupId: bottom }] },
    });
    expect(cycle).toMatchObject({ status: 409, json: "The group top would become a member of itself." });
    const itself = await asAdmin("PATCH", `/authorization/groups/${top}`, {
      updates: { memberOf: [{ groupId: top }] },
    });
    expect(itself.status).toBe(409);
  });

  it("of another account source keep name and description, and take roles", async () => {
    const id = await newGroup("directory people", { provenance: "LDAP" });
    expect((await asAdmin("PATCH", `/authorization/groups/${id}`, { updates: { description: "ours" } })).status).toBe(
      409,
    );
    const assignedRoles = [{ roleId: await roleIdOf(bench, "UserManagement:apiread") }];
    expect((await asAdmin("PATCH", `/authorization/groups/${id}`, { updates: { assignedRoles } })).status).toBe(200);
  });

  it("leave everybody who belonged to them when deleted, by identifier or name", async () => {
    const { id, token } = await newPerson(bench, "ann");
    const reading = { assignedRoles: [{ roleId: await roleIdOf(bench, "UserManagement:apiread") }] };
    const top = await newGroup("top", reading);
    await newGroup("bottom", { memberOf: [{ groupId: top }] });
    await asAdmin("PUT", `/user-management/accounts/${id}/groups`, ["bottom", "top"]);
    expect(await canListAccounts(token)).toBe(true);
    expect((await asAdmin("DELETE", "/authorization/groups/top")).json).toEqual({
      status: "OK",
      message: `Successfully deleted ${top}.`,
    });
    expect(await canListAccounts(token)).toBe(false);
    expect((await bench.users.accounts.read(id)).memberOf).toHaveLength(1);
    expect((await asAdmin("GET", "/authorization/groups/bottom")).json).toMatchObject({ memberOf: [] });
    expect((await asAdmin("DELETE", "/user-management/groups/top")).json).toBe("Group top does not exist!");
  });

  it("of administrators are neither deleted nor renamed, nor left without anybody", async () => {
    const id = "000000000000000000000001";
    expect((await asAdmin("DELETE", `/authorization/groups/${id}`)).status).toBe(409);
    expect((await asAdmin("PATCH", `/authorization/groups/${id}`, { updates: { name: "other" } })).status).toBe(409);
    expect((await asAdmin("PATCH", `/authorization/groups/${id}`, { updates: { inactive: true } })).json).toBe(
      "The last administrator cannot be removed.",
    );
    const through = await newGroup("through", { memberOf: [{ groupId: id }] });
    await asAdmin("PUT", "/user-management/accounts/000000000000000000000000/groups", ["through"]);
    expect((await asAdmin("DELETE", `/authorization/groups/${through}`)).status).toBe(409);
    expect((await asAdmin("PATCH", `/authorization/groups/${through}`, { updates: { memberOf: [] } })).status).toBe(
      409,
    );
    expect((await asAdmin("GET", "/whoami")).status).toBe(200);
  });
});

describe("roles", () => {
  const methods = [{ name: "getAccounts", provenance: "UserManagement" }];
  const newRole = (role: object) => asAdmin("POST", "/authorization/roles", { role });

  it("are generated from the operations and cannot be changed", async () => {
    const id = await roleIdOf(bench, "UserManagement:apiread");
    const role = await asAdmin("GET", `/authorization/roles/${id}`);
    expect(role.json).toMatchObject({ _id: id, provenance: "UserManagement", name: "apiread" });
    expect((role.json as { allowedMethods: object[] }).allowedMethods).toContainEqual(methods[0]);
    const update = await asAdmin("PATCH", `/authorization/roles/${id}`, { updates: { description: "mine" } });
    expect(update).toMatchObject({ status: 409, json: "Cannot update non-custom role" });
    expect((await asAdmin("DELETE", `/authorization/roles/${id}`)).status).toBe(409);
  });

  it("of one's own allow exactly what they list, at once", async () => {
    const { id, token } = await newPerson(bench, "ann");
    const role = await newRole({
      name: "lister",
      provenance: "Custom",
      description: "",
      allowedMethods: methods,
      allowedViews: [],
    });
    expect(role.json).toMatchObject({
      status: "OK",
      data: { provenance: "Custom", name: "lister", allowedMethods: methods },
    });
    const roleId = role.at("/data/_id");
    await asAdmin("PATCH", `/authorization/accounts/${id}`, { updates: { assignedRoles: [{ roleId }] } });
    expect(await canListAccounts(token)).toBe(true);
    expect((await bench.send("GET", "/authorization/groups", { token })).status).toBe(403);
    await asAdmin("PATCH", `/authorization/roles/${roleId}`, { updates: { allowedMethods: [] } });
    expect(await canListAccounts(token)).toBe(false);
    expect((await asAdmin("DELETE", `/authorization/roles/${roleId}`)).json).toMatchObject({ status: "OK" });
    expect((await bench.users.accounts.read(id)).assignedRoles).toEqual([]);
  });

  it("are refused with what is wrong about them", async () => {
    expect((await newRole({ name: "x", allowedMethods: [{ name: "fly", provenance: "Health" }] })).json).toBe(
      "there is no method Health:fly",
    );
    expect((await newRole({ name: "x", allowedViews: [{ path: "/moon", provenance: "Health" }] })).json).toBe(
      "there is no view Health:/moon",
    );
    expect((await newRole({ name: "x", provenance: "Health" })).status).toBe(400);
    expect((await newRole({ name: " " })).status).toBe(400);
    await newRole({ name: "twice" });
    expect(await newRole({ name: "twice" })).toMatchObject({ status: 409, json: "twice already exists!" });
  });

  it("are listed with all their methods in one page", async () => {
    const answer = await asAdmin("GET", "/authorization/methods");
    const { results, total } = answer.json as { results: { name: string }[]; total: number };
    expect(results).toHaveLength(total);
    expect(results).toContainEqual({
      provenance: "UserManagement",
      name: "createPlatformGroup",
      deprecated: false,
      route: { path: "/groups", verb: "POST", fullPath: "/authorization/groups" },
    });
    expect((await asAdmin("GET", "/authorization/methods?startsWith=createGr")).json).toMatchObject({ total: 1 });
    expect((await asAdmin("GET", "/authorization/views?limit=100")).json).toEqual({ results: [], total: 0 });
  });

  it("follow adapters and integration models that come and go", async () => {
    const { roles } = bench.users;
    const route = { path: "/x", verb: "GET", fullPath: "/x" };
    const method = (name: string) => ({
      entry: { provenance: "Jira", name, deprecated: false, route },
      roles: ["admin"],
    });
    await roles.publishManifest("integration", { provenance: "Jira", methods: [method("getIssue")], views: [] });
    const jira = await roleIdOf(bench, "Jira:admin");
    const { id, token } = await newPerson(bench, "ann", ["Jira:admin"]);
    await roles.publishManifest("integration", {
      provenance: "Jira",
      methods: [method("getIssue"), method("addIssue")],
      views: [],
    });
    expect((await roles.read(jira)).allowedMethods).toHaveLength(2);
    await roles.generateRoles([]);
    expect(await roleIdOf(bench, "Jira:admin")).toBe(jira);
    await expect(roleIdOf(bench, "UserManagement:admin")).rejects.toThrow("no role");
    expect((await bench.send("GET", "/whoami", { token })).json).toMatchObject({
      methods: { Jira: ["getIssue", "addIssue"] },
    });
    await roles.withdrawManifest("integration", "Jira");
    expect((await bench.users.accounts.read(id)).assignedRoles).toEqual([]);
  });

  it("are not written again when nothing changed", async () => {
    const before = await bench.store.find("roles", {}, { sort: { _id: 1 } });
    const changes: unknown[] = [];
    const end = bench.store.watch((entries) => changes.push(...entries));
    await bench.clock.advance(1000);
    await bench.users.roles.replaceManifests("application", bench.users.catalog.manifests("application"));
    end();
    expect(changes).toEqual([]);
    expect(await bench.store.find("roles", {}, { sort: { _id: 1 } })).toEqual(before);
  });
});
