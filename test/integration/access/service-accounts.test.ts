import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SignJWT } from "jose";
import {
  adminPassword,
  openAccessBench,
  openNode,
  roleIdOf,
  type AccessBench,
  type Method,
} from "../../support/access.ts";

let bench: AccessBench;
let admin: string;
let client: { client_id: string; client_secret: string };

beforeEach(async () => {
  bench = await openAccessBench();
  admin = await bench.login("admin", adminPassword);
  const answer = await asAdmin("POST", "/oauth/serviceAccounts", {
    accountData: { name: "pipeline", description: "Nightly" },
  });
  client = answer.json as typeof client;
});
afterEach(() => bench.close());

const asAdmin = (method: Method, url: string, body?: unknown) =>
  bench.send(method, url, { token: admin, ...(body === undefined ? {} : { body }) });
const form = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
});
const grant = { grant_type: "client_credentials" };
const newToken = async () =>
  (await bench.send("POST", "/oauth/token", form({ ...grant, ...client }))).at("/access_token");
const whoami = async (token: string, node = bench) => (await node.send("GET", "/whoami", { token })).status;

describe("POST /oauth/token", () => {
  it.each([
    ["a form", () => form({ client_secret: client.client_secret, ...grant, client_id: client.client_id })],
    ["JSON", () => ({ body: { ...grant, ...client } })],
    [
      "Basic",
      () => {
        const { body, headers } = form(grant);
        const credentials = Buffer.from(`${client.client_id}:${client.client_secret}`).toString("base64");
        return { body, headers: { ...headers, authorization: `Basic ${credentials}` } };
      },
    ],
  ])("takes credentials as %s", async (_form, request) => {
    const answer = await bench.send("POST", "/oauth/token", request());
    expect(answer).toMatchObject({ status: 200, json: { token_type: "Bearer", expires_in: 3600 } });
    expect(answer.headers["cache-control"]).toContain("no-store");
    expect(await whoami(answer.at("/access_token"))).toBe(200);
  });

  it.each([
    [{ client_secret: "wrong" }, 401, "invalid_client"],
    [{ client_id: "000000000000000000000000" }, 401, "invalid_client"],
    [{ client_id: "nobody" }, 401, "invalid_client"],
    [{ grant_type: "password" }, 400, "unsupported_grant_type"],
  ])("refuses %o with %i %s", async (wrong, status, error) => {
    const answer = await bench.send("POST", "/oauth/token", form({ ...grant, ...client, ...wrong }));
    expect(answer).toMatchObject({ status, json: { error } });
  });

  it("refuses the password login of a service account, and a person as a client", async () => {
    const login = { username: "pipeline", password: client.client_secret };
    expect((await bench.send("POST", "/login", { body: login })).status).toBe(401);
    const person = { client_id: "000000000000000000000000", client_secret: adminPassword };
    expect((await bench.send("POST", "/oauth/token", { body: { ...grant, ...person } })).status).toBe(401);
  });
});

describe("access tokens", () => {
  it("allow what the roles of the service account allow, until they expire", async () => {
    const token = await newToken();
    const list = async () => (await bench.send("GET", "/authorization/groups", { token })).status;
    expect(await list()).toBe(403);
    const assignedRoles = [{ roleId: await roleIdOf(bench, "UserManagement:apiread") }];
    await asAdmin("PATCH", `/authorization/accounts/${client.client_id}`, { updates: { assignedRoles } });
    expect(await list()).toBe(200);
    await bench.clock.advance(3600_000 - 1);
    expect(await list()).toBe(200);
    await bench.clock.advance(1);
    expect(await list()).toBe(401);
  });

  it("are good on every node of the same store, and after a restart", async () => {
    const token = await newToken();
    const other = await openNode(bench.store, bench.clock);
    expect(await whoami(token, other)).toBe(200);
    await other.close();
  });

  it("end with the secret, the switch and the account", async () => {
    const first = await newToken();
    const again = await asAdmin("PATCH", `/oauth/serviceAccounts/${client.client_id}/regenerate`);
    expect(again.at("/client_secret")).not.toBe(client.client_secret);
    expect(await whoami(first)).toBe(401);
    expect((await bench.send("POST", "/oauth/token", { body: { ...grant, ...client } })).status).toBe(401);
    client = again.json as typeof client;
    const second = await newToken();
    await asAdmin("PATCH", `/oauth/serviceAccounts/${client.client_id}`, { updates: { inactive: true } });
    expect(await whoami(second)).toBe(401);
    await asAdmin("PATCH", `/oauth/serviceAccounts/${client.client_id}`, { updates: { inactive: false } });
    expect(await whoami(second)).toBe(200);
    expect((await asAdmin("DELETE", `/oauth/serviceAccounts/${client.client_id}`)).json).toMatchObject({
      status: "OK",
    });
    expect(await whoami(second)).toBe(401);
  });

  it("are refused when unsigned, signed by others or changed", async () => {
    const token = await newToken();
    const [head = "", payload = "", signature = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp: number };
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const foreign = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "HS256", typ: "at+jwt" })
      .sign(Buffer.alloc(32, 1));
    const forgeries = [
      `${encode({ alg: "none", typ: "at+jwt" })}.${payload}.`,
      `${head}.${encode({ ...claims, exp: claims.exp + 1 })}.${signature}`,
      `${head}.${payload}.`,
      foreign,
      "a.b.c",
      "...",
    ];
    for (const forgery of forgeries) expect([forgery, await whoami(forgery)]).toEqual([forgery, 401]);
  });
});

describe("service accounts", () => {
  it("show their secret once and are accounts of their own kind", async () => {
    expect(client.client_id).toMatch(/^[0-9a-f]{24}$/u);
    const list = await asAdmin("GET", "/oauth/serviceAccounts");
    expect(list.json).toMatchObject({
      results: [{ client_id: client.client_id, name: "pipeline", description: "Nightly", inactive: false }],
      total: 1,
    });
    expect(list.text).not.toContain("secret");
    expect((await asAdmin("GET", "/authorization/accounts?isServiceAccount=true")).json).toMatchObject({
      results: [{ _id: client.client_id, provenance: "Service Account", username: "pipeline" }],
      total: 1,
    });
    expect((await asAdmin("GET", "/authorization/accounts?isServiceAccount=false")).json).toMatchObject({ total: 1 });
    expect((await asAdmin("GET", "/oauth/serviceAccounts?equals=other")).json).toEqual({ results: [], total: 0 });
    expect(JSON.stringify(await bench.store.find("credentials", {}))).not.toContain(client.client_secret);
  });

  it("refuse taken names, unknown identifiers and passwords", async () => {
    expect((await asAdmin("POST", "/oauth/serviceAccounts", { accountData: { name: "admin" } })).status).toBe(409);
    expect((await asAdmin("DELETE", "/oauth/serviceAccounts/000000000000000000000000")).status).toBe(404);
    const set = await asAdmin("PUT", `/user-management/accounts/${client.client_id}/password`, {
      password: "a-long-enough-password",
    });
    expect(set.status).toBe(409);
  });
});
