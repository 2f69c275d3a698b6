import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { adminPassword, openAccessBench, type AccessBench, type Answer, type Method } from "../../support/access.ts";

// What the public command-line client sends for accounts, groups and roles, and what it reads.

let bench: AccessBench;
let cookie: string;

beforeEach(async () => {
  bench = await openAccessBench();
  const login = await bench.send("POST", "/login", {
    body: { user: { username: "admin", password: adminPassword } },
    headers: clientHeaders,
  });
  cookie = String(login.headers["set-cookie"]).split(";")[0] ?? "";
});
afterEach(() => bench.close());

const clientHeaders = { "content-type": "application/json", accept: "application/json" };

/** The client expects 200 of everything here and sends its headers with bodyless calls too. */
async function call(method: Method, url: string, body?: object): Promise<Answer> {
  const answer = await bench.send(method, url, { headers: { ...clientHeaders, cookie }, ...(body ? { body } : {}) });
  expect(answer.status, `${method} ${url}: ${answer.text}`).toBe(200);
  return answer;
}

interface Page {
  results: { _id: string; name: string; provenance: string }[];
  total: number;
}

async function pages(path: string): Promise<Page["results"]> {
  const collected: Page["results"] = [];
  for (let total = Number.POSITIVE_INFINITY; collected.length < total;) {
    const skip = collected.length === 0 ? "" : `&skip=${collected.length}`;
    const page = (await call("GET", `${path}?limit=100${skip}`)).json as Page;
    expect(page.results.length).toBeGreaterThan(0);
    collected.push(...page.results);
    total = page.total;
  }
  return collected;
}

const groupBody = (name: string, description = "") => ({
  group: { assignedRoles: [], description, inactive: false, memberOf: [], name, provenance: "Pronghorn" },
});
const groups = async () => (await call("GET", "/authorization/groups")).json as Page;

describe("the command-line client", () => {
  it("lists accounts page by page", async () => {
    for (let count = 0; count < 120; count += 1) {
      const body = { username: `user${count}`, password: `password number ${count}` };
      await bench.users.accounts.create(body, {
        accountId: "",
        username: "",
        groupIds: [],
        isAdmin: true,
        isAllowed: () => true,
      });
    }
    const accounts = await pages("/authorization/accounts");
    expect(new Set(accounts.map(({ _id }) => _id)).size).toBe(121);
    expect(accounts[0]).toMatchObject({
      username: "admin",
      loggedIn: true,
      inactive: false,
      email: "",
      firstname: "admin",
      provenance: "local_aaa",
    });
  });

  it("creates, describes, replaces, copies and deletes groups", async () => {
    const created = await call("POST", "/authorization/groups", groupBody("planners", "From A"));
    expect(created.json).toMatchObject({ status: "OK", data: { name: "planners" } });
    const found = (await groups()).results.find(({ name }) => name === "planners");
    expect(found).toMatchObject({
      description: "From A",
      provenance: "Pronghorn",
      assignedRoles: [],
      memberOf: [],
      inactive: false,
    });
    // import --replace deletes by identifier, copy --replace by name.
    await call("DELETE", `/authorization/groups/${found?._id}`);
    await call("POST", "/authorization/groups", groupBody("planners", "From B"));
    await call("DELETE", "/authorization/groups/planners");
    await call("POST", "/authorization/groups", groupBody("planners", "From C"));
    expect((await groups()).total).toBe(2);
    for (const { _id, provenance } of (await groups()).results)
      if (provenance === "Pronghorn") await call("DELETE", `/authorization/groups/${_id}`);
    expect((await groups()).results.map(({ name }) => name)).toEqual(["pronghorn_admin"]);
  });

  it("creates a role from the methods it finds, exports it and imports it again", async () => {
    const methods = (await call("GET", "/authorization/methods")).json as Page;
    expect(methods.results.length).toBe(methods.total);
    const allowedMethods = methods.results
      .filter(({ name }) => name === "getGroups")
      .map(({ name, provenance }) => ({ name, provenance }));
    const role = { allowedMethods, allowedViews: [], description: "", name: "watchers", provenance: "Custom" };
    const id = (await call("POST", "/authorization/roles", { role })).at("/data/_id");
    const exported = (await call("GET", `/authorization/roles/${id}`)).json as typeof role & { _id: string };
    expect(exported).toMatchObject({ _id: id, ...role });
    expect((await call("DELETE", `/authorization/roles/${id}`)).json).toMatchObject({ status: "OK" });
    const { provenance, name, description, allowedViews } = exported;
    await call("POST", "/authorization/roles", {
      role: { provenance, name, description, allowedMethods, allowedViews },
    });
    const custom = (await pages("/authorization/roles")).filter((found) => found.provenance === "Custom");
    expect(custom.map((found) => found.name)).toEqual(["watchers"]);
  });

  it("keeps its session while it works and reads who it is", async () => {
    for (let count = 0; count < 3; count += 1) {
      const answer = await call("GET", "/whoami");
      expect(answer.headers["set-cookie"]).toBeUndefined();
      expect(answer.json).toMatchObject({
        id: "000000000000000000000000",
        provenance: "local_aaa",
        username: "admin",
        firstname: "admin",
      });
      expect(answer.json).toMatchObject({
        groups: [{ id: "000000000000000000000001", provenance: "local_aaa", name: "pronghorn_admin" }],
        routes: [],
      });
      const { methods, roles } = answer.json as { methods: Record<string, string[]>; roles: string[] };
      expect(methods["UserManagement"]).toContain("getRoles");
      expect(roles).toHaveLength((await pages("/authorization/roles")).length);
      expect((await call("GET", "/myPrincipal")).text).toBe(answer.text);
    }
    expect((await call("GET", "/version")).json).toBe("9.9.9");
  });

  it("exports who has which role, safe for spreadsheets", async () => {
    await call("POST", "/user-management/accounts", { username: '=cmd,"x"', password: "a-long-enough-password" });
    const answer = await call("GET", "/authorization/csv/export");
    expect(answer.headers["content-type"]).toMatch(/^text\/csv/u);
    const lines = answer.text.split("\r\n");
    expect(lines[0]).toBe("account,accountProvenance,inactive,lastLogin,through,role,roleProvenance");
    expect(lines[1]).toBe(`"'=cmd,""x""",local_aaa,false,,,,`);
    expect(lines[2]).toBe("admin,local_aaa,false,2026-01-05T09:00:00.000Z,pronghorn_admin,,");
  });
});
