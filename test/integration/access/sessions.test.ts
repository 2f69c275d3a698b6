import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sessionRules } from "../../../src/platform-management/authentication/session-store.ts";
import { adminPassword, openAccessBench, openNode, type AccessBench } from "../../support/access.ts";

const minuteMs = 60_000;
let bench: AccessBench;

beforeEach(async () => {
  bench = await openAccessBench();
});
afterEach(() => bench.close());

const whoami = (token: string, node = bench) => node.send("GET", "/whoami", { token }).then(({ status }) => status);

/** Lets writes that no request waits for come to their end. */
const settle = () => bench.store.commit([{ kind: "put", collection: "secrets", document: { _id: "settle" } }]);

describe("sessions", () => {
  it("end 60 minutes after the last use", async () => {
    const token = await bench.login("admin", adminPassword);
    await bench.clock.advance(59 * minuteMs);
    expect(await whoami(token)).toBe(200);
    await bench.clock.advance(60 * minuteMs - 1);
    expect(await whoami(token)).toBe(200);
    await bench.clock.advance(60 * minuteMs);
    expect(await whoami(token)).toBe(401);
  });

  it("end 12 hours after the login, however much they are used", async () => {
    const token = await bench.login("admin", adminPassword);
    for (let minutes = 0; minutes < 12 * 60 - 30; minutes += 30) {
      await bench.clock.advance(30 * minuteMs);
      expect(await whoami(token)).toBe(200);
    }
    await bench.clock.advance(30 * minuteMs - 1);
    expect(await whoami(token)).toBe(200);
    await bench.clock.advance(1);
    expect(await whoami(token)).toBe(401);
  });

  it("write their use at most once a minute, and cost no read while in use", async () => {
    const token = await bench.login("admin", adminPassword);
    await whoami(token);
    const changes: string[] = [];
    const end = bench.store.watch((entries) => changes.push(...entries.map(({ collection }) => collection)));
    for (let seconds = 0; seconds < 59; seconds += 1) {
      await bench.clock.advance(1000);
      await whoami(token);
    }
    await settle();
    expect(changes).toEqual(["secrets"]);
    await bench.clock.advance(1000);
    await whoami(token);
    await settle();
    end();
    expect(changes).toEqual(["secrets", "sessions", "secrets"]);
  });

  it("end with logout, at once, and the browser forgets the token", async () => {
    const token = await bench.login("admin", adminPassword);
    const other = await bench.login("admin", adminPassword);
    const answer = await bench.send("POST", "/logout", { token });
    expect(answer).toMatchObject({ status: 200, json: { status: "OK" } });
    expect(answer.headers["set-cookie"]).toBe("token=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    expect(await whoami(token)).toBe(401);
    expect(await loggedIn(other)).toBe(true);
    expect(
      (await bench.send("GET", "/logout", { token: other, headers: { accept: "text/html" } })).headers["location"],
    ).toBe("/login");
    expect(await whoami(other)).toBe(401);
    expect(await loggedIn(await bench.login("admin", adminPassword))).toBe(true);
  });

  it("tell their own end", async () => {
    const token = await bench.login("admin", adminPassword);
    await bench.clock.advance(10 * minuteMs);
    const session = await bench.send("GET", "/mySession", { token });
    expect(session.json).toMatchObject({
      loginMethod: "Web",
      session_start: bench.clock.now() - 10 * minuteMs,
      ttl: 3600,
      principalId: "000000000000000000000000",
      requestCount: 1,
    });
    expect(session.text).not.toContain(token);
    expect((await bench.send("GET", "/myTTL", { token })).json).toBe(3600);
    const authorization = `Basic ${Buffer.from(`admin:${adminPassword}`).toString("base64")}`;
    expect((await bench.send("GET", "/mySession", { headers: { authorization } })).status).toBe(404);
  });

  it("that are over are removed from the store", async () => {
    await bench.login("admin", adminPassword);
    bench.auth.sessions.start();
    await bench.clock.advance(61 * minuteMs);
    await settle();
    await settle();
    expect(await bench.store.count("sessions", {})).toBe(0);
  });

  it("end on other nodes within seconds", async () => {
    const second = await openNode(storeWithoutFeed(), bench.clock);
    const token = await bench.login("admin", adminPassword);
    expect(await whoami(token, second)).toBe(200);
    await bench.send("POST", "/logout", { token });
    await bench.clock.advance(sessionRules.freshMs);
    expect(await whoami(token, second)).toBe(401);
    await second.close();
  });

  it("are unique where the operator wants it", async () => {
    const strict = await openNode(bench.store, bench.clock, { authentication: { isSessionUnique: true } });
    const first = await strict.login("admin", adminPassword);
    const second = await strict.login("admin", adminPassword);
    expect(await whoami(first, strict)).toBe(401);
    expect(await whoami(second, strict)).toBe(200);
    await strict.close();
  });
});

describe("an authenticated request", () => {
  it("costs a few microseconds once its session is in memory", async () => {
    const token = await bench.login("admin", adminPassword);
    const { authenticator } = bench.auth;
    const credentials = { kind: "token", token, from: "cookie" } as const;
    const rounds = 20_000;
    let fastestNs = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 5; run += 1) {
      const startedAt = process.hrtime.bigint();
      for (let round = 0; round < rounds; round += 1) await authenticator.authenticate(credentials);
      fastestNs = Math.min(fastestNs, Number(process.hrtime.bigint() - startedAt) / rounds);
    }
    // 5 µs is the aim on a free core; the bound leaves room for a loaded one.
    expect(fastestNs).toBeLessThan(20_000);
  });
});

async function loggedIn(token: string): Promise<unknown> {
  const { json } = await bench.send("GET", "/user/settings", { token });
  return (json as { loggedIn?: boolean }).loggedIn;
}

/** The store as another node without a change feed would see it. */
function storeWithoutFeed() {
  return new Proxy(bench.store, {
    get(store, member: keyof typeof bench.store) {
      if (member === "watch") return () => () => undefined;
      const value = store[member];
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
}
