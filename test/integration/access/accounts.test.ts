import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { adminPassword, newPerson, openAccessBench, personPassword, type AccessBench } from "../../support/access.ts";

let bench: AccessBench;
let admin: string;
const adminId = "000000000000000000000000";

beforeEach(async () => {
  bench = await openAccessBench();
  admin = await bench.login("admin", adminPassword);
});
afterEach(() => bench.close());

const asAdmin = (method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", url: string, body?: unknown) =>
  bench.send(method, url, { token: admin, ...(body === undefined ? {} : { body }) });
const password = "correct horse battery";
const whoami = async (token: string) => (await bench.send("GET", "/whoami", { token })).status;

describe("creating accounts", () => {
  it.each([
    ["bare", (account: object) => account],
    ["wrapped in account", (account: object) => ({ account })],
    ["wrapped in user", (account: object) => ({ user: account })],
  ])("takes a body %s and answers the document without the password", async (_form, wrap) => {
    await asAdmin("POST", "/user-management/groups", { name: "operators" });
    const account = { username: "ann", password, firstname: "Ann", email: "ann@example.org", groups: ["operators"] };
    const answer = await asAdmin("POST", "/user-management/accounts", wrap(account));
    expect(answer).toMatchObject({
      status: 200,
      json: {
        status: "Created",
        message: "Successfully created account ann.",
        data: {
          provenance: "local_aaa",
          username: "ann",
          firstname: "Ann",
          email: "ann@example.org",
          inactive: false,
          loggedIn: false,
        },
      },
    });
    expect(answer.at("/data/_id")).toMatch(/^[0-9a-f]{24}$/u);
    expect(answer.at("/data/memberOf/0/groupId")).toMatch(/^[0-9a-f]{24}$/u);
    expect(answer.text).not.toMatch(/password|argon2/iu);
    expect(await whoami(await bench.login("ann", password))).toBe(200);
  });

  it("refuses a taken name with 409 and a JSON text", async () => {
    const answer = await asAdmin("POST", "/user-management/accounts", { username: "admin", password });
    expect(answer).toMatchObject({ status: 409, json: "admin already exists!" });
  });

  it.each([
    [{ username: "ann", password: "elevenchars" }, "The password must have at least 12 characters."],
    [{ username: "ann", password: "aaaaaaaaaaaaaaa" }, "The password must not repeat the same one or two characters."],
    [{ username: "long-user-name", password: "Long-User-Name" }, "The password must not be the user name."],
    [{ username: "ann", password, groups: ["nobody", "noone"] }, "there is no group nobody; there is no group noone"],
    [{ username: "a:b", password }, "username"],
    [{ username: "ann" }, "password"],
    [{ username: "ann", password, admin: true }, "admin"],
  ])("refuses %o, and creates nothing", async (body, message) => {
    const answer = await asAdmin("POST", "/user-management/accounts", body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(message);
    expect(await bench.store.count("accounts", {})).toBe(1);
    expect(await bench.store.count("credentials", {})).toBe(1);
  });
});

describe("listing accounts", () => {
  beforeEach(async () => {
    for (const username of ["carl", "ann", "bert"])
      await asAdmin("POST", "/user-management/accounts", { username, password });
  });
  const names = async (query: string) => {
    const { json } = await asAdmin("GET", `/authorization/accounts${query}`);
    const { results, total } = json as { results: { username: string }[]; total: number };
    return { names: results.map(({ username }) => username), total };
  };

  it("is the same under both spellings, with the exact total before paging", async () => {
    expect(await names("")).toEqual({ names: ["admin", "ann", "bert", "carl"], total: 4 });
    expect((await asAdmin("GET", "/user-management/accounts")).text).toBe(
      (await asAdmin("GET", "/authorization/accounts")).text,
    );
    expect(await names("?limit=2&skip=1")).toEqual({ names: ["ann", "bert"], total: 4 });
    expect(await names("?sort=_id&order=-1&limit=1")).toEqual({ names: ["bert"], total: 4 });
  });

  it("filters by the usual parameters and by those of accounts", async () => {
    expect(await names("?equals=ann&equalsField=username")).toEqual({ names: ["ann"], total: 1 });
    expect(await names("?contains=A")).toEqual({ names: ["admin", "ann", "carl"], total: 3 });
    expect(await names("?startsWith=a&order=-1")).toEqual({ names: ["ann", "admin"], total: 2 });
    expect(await names("?multiContains[username]=r&multiContains[provenance]=aaa")).toEqual({
      names: ["bert", "carl"],
      total: 2,
    });
    const bert = (await bench.users.accounts.list({ equals: "bert" })).results[0]?._id;
    await asAdmin("PATCH", `/authorization/accounts/${bert}`, { inactive: true });
    expect(await names("?inactive=true")).toEqual({ names: ["bert"], total: 1 });
    expect(await names("?inactive=false&isServiceAccount=false&limit=100&skip=0")).toMatchObject({ total: 3 });
    expect(await names("?groupId=000000000000000000000001")).toEqual({ names: ["admin"], total: 1 });
    expect((await asAdmin("GET", "/authorization/accounts?sort=$where")).status).toBe(400);
    expect((await asAdmin("GET", "/authorization/accounts?limit=x")).status).toBe(400);
  });

  it("finds nothing by what is not part of an account", async () => {
    expect(await names("?contains=argon2&containsField=passwordHash")).toEqual({ names: [], total: 0 });
  });
});

describe("changing accounts", () => {
  it("replaces groups by name or identifier, as object or bare array", async () => {
    const { id } = await newPerson(bench, "ann");
    const group = await asAdmin("POST", "/user-management/groups", { name: "operators" });
    const url = `/user-management/accounts/${id}/groups`;
    const membership = { groupId: group.at("/data/_id"), aaaManaged: false };
    expect((await asAdmin("PUT", url, { groups: ["operators"] })).json).toMatchObject({
      status: "OK",
      data: { memberOf: [membership] },
    });
    expect((await asAdmin("PUT", url, [])).json).toMatchObject({ data: { memberOf: [] } });
    expect((await asAdmin("PUT", url, [membership.groupId, "operators"])).json).toMatchObject({
      data: { memberOf: [membership] },
    });
    expect(await asAdmin("PUT", url, ["nobody"])).toMatchObject({ status: 400, json: "there is no group nobody" });
  });

  it("updates lists and state, and refuses what does not exist", async () => {
    const { id, token } = await newPerson(bench, "ann");
    const url = `/authorization/accounts/${id}`;
    expect((await asAdmin("PATCH", url, { updates: {} })).json).toBe("No applicable updates requested");
    const unknown = await asAdmin("PATCH", url, {
      updates: { assignedRoles: [{ roleId: "x" }], memberOf: [{ groupId: "y" }] },
    });
    expect(unknown).toMatchObject({ status: 400, json: "there is no role x; there is no group y" });
    expect((await asAdmin("PATCH", url, { updates: { username: "eve" } })).status).toBe(400);
    expect(await asAdmin("PATCH", url, { inactive: true })).toMatchObject({
      status: 200,
      json: { data: { inactive: true } },
    });
    expect(await whoami(token)).toBe(401);
    expect((await bench.send("POST", "/login", { body: { username: "ann", password: personPassword } })).status).toBe(
      401,
    );
    await asAdmin("PATCH", url, { inactive: false });
    expect(await whoami(token)).toBe(401);
    expect(await whoami(await bench.login("ann", personPassword))).toBe(200);
    expect((await asAdmin("GET", "/authorization/accounts/none")).json).toBe("Account none does not exist!");
  });

  it("lets people change their own settings and nothing else of themselves", async () => {
    const { token } = await newPerson(bench, "ann");
    const put = (body: object) => bench.send("PUT", "/user/settings", { token, body });
    expect((await put({ firstname: "Ann", email: "ann@example.org" })).status).toBe(200);
    expect((await put({ inactive: false })).status).toBe(400);
    const settings = await bench.send("GET", "/user/settings", { token });
    expect(settings.json).toMatchObject({ username: "ann", firstname: "Ann", email: "ann@example.org", gitTokens: {} });
    expect(settings.at("/lastLogin")).toBe("2026-01-05T09:00:00.000Z");
  });

  it("ends all sessions on force logout", async () => {
    const { id, token } = await newPerson(bench, "ann");
    expect((await asAdmin("POST", `/authorization/accounts/${id}/forceLogout`)).json).toMatchObject({ status: "OK" });
    expect(await whoami(token)).toBe(401);
  });
});

describe("passwords", () => {
  const newPassword = "another long password";

  it("need the old one from people who may not manage accounts, and end their other sessions", async () => {
    const { id, token } = await newPerson(bench, "ann");
    const other = await bench.login("ann", personPassword);
    const put = (body: object) => bench.send("PUT", `/user-management/accounts/${id}/password`, { token, body });
    expect(await put({ password: newPassword })).toMatchObject({ status: 403, json: "The old password is wrong." });
    expect((await put({ newPassword, oldPassword: "wrong" })).status).toBe(403);
    expect((await put({ newPassword: "short", oldPassword: personPassword })).status).toBe(400);
    expect((await put({ newPassword, oldPassword: personPassword })).status).toBe(200);
    expect([await whoami(token), await whoami(other)]).toEqual([200, 401]);
    expect((await bench.send("POST", "/login", { body: { username: "ann", password: personPassword } })).status).toBe(
      401,
    );
    expect(await whoami(await bench.login("ann", newPassword))).toBe(200);
  });

  it("cannot be guessed through the change of one's own", async () => {
    const { id, token } = await newPerson(bench, "ann");
    const guess = () =>
      bench.send("PUT", `/user-management/accounts/${id}/password`, {
        token,
        body: { newPassword, oldPassword: "guess" },
      });
    for (let count = 0; count < 5; count += 1) expect((await guess()).status).toBe(403);
    expect((await guess()).status).toBe(429);
  });

  it("of others are set by administrators only; remembered Basic credentials end", async () => {
    const { id, token } = await newPerson(bench, "ann");
    const authorization = `Basic ${Buffer.from(`ann:${personPassword}`).toString("base64")}`;
    const byBasic = async () => (await bench.send("GET", "/whoami", { headers: { authorization } })).status;
    expect(await byBasic()).toBe(200);
    const setAdmin = { token, body: { newPassword, oldPassword: adminPassword } };
    expect((await bench.send("PUT", `/user-management/accounts/${adminId}/password`, setAdmin)).status).toBe(403);
    expect((await asAdmin("PUT", `/user-management/accounts/${id}/password`, { password: newPassword })).status).toBe(
      200,
    );
    expect(await whoami(token)).toBe(401);
    expect(await byBasic()).toBe(401);
  });
});

describe("deleting accounts", () => {
  it("ends their sessions and forgets their password", async () => {
    const { id, token } = await newPerson(bench, "ann");
    expect((await asAdmin("DELETE", `/user-management/accounts/${id}`)).json).toEqual({
      status: "OK",
      message: `Successfully deleted ${id}.`,
    });
    expect(await whoami(token)).toBe(401);
    expect(await bench.store.count("credentials", { _id: id })).toBe(0);
    expect(await bench.store.count("sessions", { accountId: id })).toBe(0);
    expect((await asAdmin("DELETE", `/user-management/accounts/${id}`)).status).toBe(404);
  });

  it("is refused for oneself and for the last administrator", async () => {
    expect(await asAdmin("DELETE", `/user-management/accounts/${adminId}`)).toMatchObject({
      status: 409,
      json: "You cannot delete your own account.",
    });
    const { token } = await newPerson(bench, "ann", ["UserManagement:admin"]);
    const body = { updates: { memberOf: [] } };
    expect((await bench.send("PATCH", `/authorization/accounts/${adminId}`, { token, body })).status).toBe(403);
    expect(await asAdmin("PATCH", `/authorization/accounts/${adminId}`, body)).toMatchObject({
      status: 409,
      json: "The last administrator cannot be removed.",
    });
    expect((await asAdmin("PATCH", `/authorization/accounts/${adminId}`, { inactive: true })).status).toBe(409);
  });

  it("keeps one of two administrators who remove each other at the same time", async () => {
    const { id, token } = await newPerson(bench, "ann");
    await asAdmin("PUT", `/user-management/accounts/${id}/groups`, ["pronghorn_admin"]);
    const answers = await Promise.all([
      asAdmin("DELETE", `/user-management/accounts/${id}`),
      bench.send("DELETE", `/user-management/accounts/${adminId}`, { token }),
    ]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await bench.store.count("accounts", {})).toBe(1);
  });
});
