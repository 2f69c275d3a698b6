import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { adminPassword, openAccessBench, cheapHasher, type AccessBench } from "../../support/access.ts";

let bench: AccessBench;
let verifications = 0;

beforeEach(async () => {
  const hasher = {
    ...cheapHasher,
    verify(passwordHash: string, password: string) {
      verifications += 1;
      return cheapHasher.verify(passwordHash, password);
    },
  };
  bench = await openAccessBench({ hasher });
  verifications = 0;
});
afterEach(() => bench.close());

const wrapped = { user: { username: "admin", password: adminPassword } };

describe("POST /login", () => {
  it.each([
    ["wrapped JSON", { body: wrapped }],
    ["flat JSON", { body: wrapped.user }],
    [
      "a form",
      {
        body: `username=admin&password=${adminPassword}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
    ],
  ])("takes %s and answers the bare token, in the body as in the cookie", async (_form, request) => {
    const answer = await bench.send("POST", "/login", request);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toMatch(/^text\/plain/u);
    expect(answer.text).toMatch(/^[\w-]{43}$/u);
    expect(answer.headers["set-cookie"]).toBe(`token=${answer.text}; Path=/; HttpOnly; SameSite=Lax`);
    expect(answer.headers["cache-control"]).toContain("no-store");
  });

  it("ignores a trailing slash and sends a page form on to the start page", async () => {
    expect((await bench.send("POST", "/login/", { body: wrapped })).status).toBe(200);
    const page = await bench.send("POST", "/login", {
      body: `username=admin&password=${adminPassword}`,
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html,*/*" },
    });
    expect(page.status).toBe(303);
    expect(page.headers["location"]).toBe("/");
    expect(page.headers["set-cookie"]).toMatch(/^token=[\w-]{43};/u);
  });

  it("answers a token that every way of presenting it accepts", async () => {
    const token = await bench.login("admin", adminPassword);
    const ways = [
      bench.send("GET", "/whoami", { token }),
      bench.send("GET", "/whoami", { headers: { cookie: `other=1; token=${token}` } }),
      bench.send("GET", `/whoami?token=${token}`),
      bench.send("GET", "/whoami", { headers: { authorization: basic("admin", adminPassword) } }),
    ];
    for (const way of ways) expect(await way).toMatchObject({ status: 200, json: { username: "admin" } });
  });

  it("gives a new token each time and ends the session that the client had", async () => {
    const first = await bench.login("admin", adminPassword);
    const answer = await bench.send("POST", "/login", { body: wrapped, headers: { cookie: `token=${first}` } });
    expect(answer.text).not.toBe(first);
    expect((await bench.send("GET", "/whoami", { token: first })).status).toBe(401);
    expect((await bench.send("GET", "/whoami", { token: answer.text })).status).toBe(200);
  });

  it("takes no token that the client brought along (session fixation)", async () => {
    const chosen = "a".repeat(43);
    await bench.send("POST", "/login", { body: wrapped, headers: { cookie: `token=${chosen}` } });
    expect((await bench.send("GET", "/whoami", { token: chosen })).status).toBe(401);
  });

  it("says the same of a wrong password, an unknown and an inactive account, after one hash each", async () => {
    await newAccount("off");
    const { accounts } = bench.users;
    const off = (await accounts.list({ equals: "off" })).results[0];
    const admin = await bench.login("admin", adminPassword);
    await bench.send("PATCH", `/authorization/accounts/${off?._id}`, { token: admin, body: { inactive: true } });
    const answers = [];
    for (const [username, password] of [
      ["admin", "wrong"],
      ["nobody", "wrong"],
      ["off", "long enough text"],
    ]) {
      const before = verifications;
      const answer = await bench.send("POST", "/login", { body: { username, password } });
      expect(verifications - before).toBe(1);
      expect(answer.status).toBe(401);
      answers.push(answer.text);
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"message":"Invalid credentials"');
  });

  it("names what is missing in the body", async () => {
    const answer = await bench.send("POST", "/login", { body: { username: "admin" } });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("/body/password");
  });

  it("slows down and locks wrong tries, for unknown accounts alike", async () => {
    for (const username of ["admin", "nobody"]) {
      const attempt = () => bench.send("POST", "/login", { body: { username, password: "wrong" } });
      for (let count = 0; count < 5; count += 1) expect((await attempt()).status).toBe(401);
      const refused = await attempt();
      expect(refused.status).toBe(429);
      expect(refused.headers["retry-after"]).toBeDefined();
      await bench.clock.advance(1000);
      expect((await attempt()).status).toBe(401);
    }
    expect((await bench.send("POST", "/login", { body: wrapped })).status).toBe(429);
    await bench.clock.advance(30_000);
    expect((await bench.send("POST", "/login", { body: wrapped })).status).toBe(200);
  });

  it("counts wrong Basic passwords as wrong logins, and remembers right ones", async () => {
    const call = (password: string) =>
      bench.send("GET", "/whoami", { headers: { authorization: basic("admin", password) } });
    for (let count = 0; count < 3; count += 1) expect((await call(adminPassword)).status).toBe(200);
    expect(verifications).toBe(1);
    for (let count = 0; count < 5; count += 1) expect((await call("wrong")).status).toBe(401);
    expect((await call("wrong")).status).toBe(429);
    expect((await call(adminPassword)).status).toBe(200);
  });

  it("bears many logins of one account at once", async () => {
    const tokens = await Promise.all(Array.from({ length: 40 }, () => bench.login("admin", adminPassword)));
    expect(new Set(tokens).size).toBe(40);
    for (const token of tokens) expect((await bench.send("GET", "/whoami", { token })).status).toBe(200);
  });

  it("keeps neither token nor password in the store", async () => {
    const token = await bench.login("admin", adminPassword);
    for (const collection of ["sessions", "accounts", "credentials"]) {
      const text = JSON.stringify(await bench.store.find(collection, {}));
      expect(text).not.toContain(token);
      expect(text).not.toContain(adminPassword);
    }
    expect(JSON.stringify(await bench.store.find("credentials", {}))).toContain("$argon2id$");
  });
});

describe("the sign-in page", () => {
  it("has a form and nothing that a strict content policy forbids", async () => {
    const page = await bench.send("GET", "/login");
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toMatch(/^text\/html/u);
    expect(page.text).toContain('<form method="post" action="/login">');
    expect(page.text).not.toMatch(/<script|<style|style=|\son\w+=|javascript:/iu);
    expect((await bench.send("GET", "/sso/enabled")).json).toBe(false);
  });
});

async function newAccount(username: string): Promise<void> {
  const admin = await bench.login("admin", adminPassword);
  const body = { username, password: "long enough text" };
  expect((await bench.send("POST", "/user-management/accounts", { token: admin, body })).status).toBe(200);
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
