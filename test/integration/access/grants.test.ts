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

const asAdmin = (method: Method, url: string) => bench.send(method, url, { token: admin });

describe("what people may hand out", () => {
  it("is what they may do themselves", async () => {
    const { token } = await newPerson(bench, "ann", ["UserManagement:admin"]);
    const { id: other } = await newPerson(bench, "bert");
    const assignable = (await bench.send("GET", "/user-management/roles", { token })).json as {
      results: { provenance: string }[];
      total: number;
    };
    expect(assignable.total).toBeGreaterThan(0);
    expect(new Set(assignable.results.map(({ provenance }) => provenance))).toEqual(new Set(["UserManagement"]));
    expect((await asAdmin("GET", "/user-management/roles")).json).toMatchObject({
      total: await bench.store.count("roles", {}),
    });

    const give = (assignedRoles: object[]) =>
      bench.send("PATCH", `/authorization/accounts/${other}`, { token, body: { updates: { assignedRoles } } });
    expect((await give([{ roleId: await roleIdOf(bench, "UserManagement:apiread") }])).status).toBe(200);
    const refused = await give([{ roleId: await roleIdOf(bench, "Authentication:admin") }]);
    expect(refused).toMatchObject({ status: 403, json: "You may not assign the role Authentication:admin." });
  });

  it("never makes administrators of those who are none, nor takes over their accounts", async () => {
    const { id, token } = await newPerson(bench, "ann", ["UserManagement:admin"]);
    const adminGroup = "000000000000000000000001";
    const attempts: [Method, string, object][] = [
      ["PUT", `/user-management/accounts/${id}/groups`, [adminGroup]],
      ["PATCH", `/authorization/accounts/${id}`, { updates: { memberOf: [{ groupId: adminGroup }] } }],
      ["POST", "/authorization/groups", { group: { name: "pronghorn_admin", provenance: "local_aaa" } }],
      ["POST", "/authorization/groups", { group: { name: "mine", memberOf: [{ groupId: adminGroup }] } }],
      [
        "POST",
        "/user-management/accounts",
        { username: "eve", password: "a-long-enough-password", groups: ["pronghorn_admin"] },
      ],
      [
        "POST",
        "/authorization/roles",
        { role: { name: "mine", allowedMethods: [{ name: "createServiceAccount", provenance: "Authentication" }] } },
      ],
      ["PUT", "/user-management/accounts/000000000000000000000000/password", { password: "a-long-enough-password" }],
      ["DELETE", "/user-management/accounts/000000000000000000000000", {}],
      ["POST", "/authorization/accounts/000000000000000000000000/forceLogout", {}],
    ];
    for (const [method, url, body] of attempts)
      expect([url, (await bench.send(method, url, { token, body })).status]).toEqual([url, 403]);
  });
});
