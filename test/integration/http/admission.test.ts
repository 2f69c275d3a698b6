import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLogger } from "../../../src/core/logger.ts";
import { asAdmin, asWeak, createSampleServer, type SampleServer } from "./sample-server.ts";

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

describe("admission", () => {
  let server: SampleServer;
  beforeAll(async () => {
    server = await createSampleServer();
  });
  afterAll(() => server.close());

  const whoAmI = (headers: Record<string, string>, query = "") =>
    server.inject({ method: "GET", url: `/sample/whoami${query}`, headers });

  test.each([
    ["bearer token", asAdmin, ""],
    ["bearer in lower case", { authorization: "bearer admin-token" }, ""],
    ["password with a colon", basic("admin:pass:word"), ""],
    ["cookie", { cookie: "theme=dark; token=admin-token; x=1" }, ""],
    ["quoted cookie", { cookie: 'token="admin-token"' }, ""],
    ["query", {}, "?token=admin-token"],
    ["query beside others", {}, "?a=1&token=admin-token&b"],
  ])("credentials by %s are taken", async (_kind, headers, query) => {
    const reply = await whoAmI(headers, query);
    expect(reply.json()).toEqual({ username: "admin" });
  });

  test.each([
    ["none", {}],
    ["wrong token", { authorization: "Bearer nonsense" }],
    ["wrong password", basic("admin:nonsense")],
    ["password missing", basic("admin")],
    ["no base64", { authorization: "Basic ***" }],
    ["unknown scheme", { authorization: "Digest username=admin" }],
    ["empty cookie", { cookie: "token=" }],
    ["token as part of another name", { cookie: "mytoken=admin-token" }],
  ])("%s: 401 with a challenge", async (_kind, headers) => {
    const reply = await whoAmI(headers);
    expect(reply.statusCode).toBe(401);
    expect(reply.headers["www-authenticate"]).toBe('Bearer realm="linewright"');
    expect(reply.json().code).toBe("UNAUTHENTICATED");
  });

  test("explicit credentials win over the cookie", async () => {
    expect((await whoAmI({ ...asWeak, cookie: "token=admin-token" })).json()).toEqual({ username: "weak" });
  });

  test("a caller without the role is refused and told for which operation", async () => {
    const reply = await server.inject({ method: "GET", url: "/sample/health", headers: asWeak });
    expect(reply.statusCode).toBe(403);
    expect(reply.json().message).toBe("You have no role that allows Sample.getHealth.");
  });

  test("any account may call what asks for none but an account", async () => {
    expect((await whoAmI(asWeak)).statusCode).toBe(200);
  });

  test("a public operation asks for no credentials, and wrong ones do not matter", async () => {
    const reply = await server.inject({
      method: "POST",
      url: "/sample/ping",
      headers: { authorization: "Bearer nonsense" },
    });
    expect(reply.statusCode).toBe(200);
  });

  test("who may not call is refused before the body is looked at", async () => {
    const broken = { method: "POST", url: "/sample/devices", payload: "{" } as const;
    const type = { "content-type": "application/json" };
    expect((await server.inject({ ...broken, headers: type })).statusCode).toBe(401);
    expect((await server.inject({ ...broken, headers: { ...type, ...asWeak } })).statusCode).toBe(403);
    expect((await server.inject({ ...broken, headers: { ...type, ...asAdmin } })).statusCode).toBe(400);
  });

  test("an operation that is not built yet answers 501, after the role and before validation", async () => {
    const call = (headers: Record<string, string>) =>
      server.inject({
        method: "POST",
        url: "/sample/not-yet",
        headers: { ...headers, "content-type": "application/json" },
        payload: "{",
      });
    expect((await call({})).statusCode).toBe(401);
    expect((await call(asWeak)).statusCode).toBe(403);
    const reply = await call(asAdmin);
    expect(reply.statusCode).toBe(501);
    expect(reply.json().message).toBe("Sample.notYet is not built yet.");
  });

  test("the query token can be switched off", async () => {
    const strict = await createSampleServer({ options: { isQueryTokenAllowed: false } });
    const reply = await strict.inject({ method: "GET", url: "/sample/whoami?token=admin-token" });
    expect(reply.statusCode).toBe(401);
    await strict.close();
  });

  test("address and protocol of the client are told, those of a proxy only when it is trusted", async () => {
    const forwarded = { ...asAdmin, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
    const ask = (asked: SampleServer) => asked.inject({ method: "GET", url: "/sample/client", headers: forwarded });
    expect((await ask(server)).json()).toEqual({ address: "127.0.0.1", isSecure: false });
    const behindProxy = await createSampleServer({ options: { trustedProxies: ["127.0.0.1"] } });
    expect((await ask(behindProxy)).json()).toEqual({ address: "203.0.113.7", isSecure: true });
    await behindProxy.close();
  });

  test("the log of requests holds no query token", async () => {
    const lines: string[] = [];
    const logger = createLogger(
      "debug",
      (line) => lines.push(line),
      () => 0,
    );
    const logged = await createSampleServer({ logger });
    await logged.inject({ method: "GET", url: "/sample/whoami?token=admin-token" });
    await logged.close();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      message: "request",
      path: "/sample/whoami",
      status: 200,
      username: "admin",
    });
    expect(lines.join("")).not.toContain("admin-token");
  });
});

describe("requests made by another site", () => {
  let server: SampleServer;
  beforeAll(async () => {
    server = await createSampleServer({ options: { trustedOrigins: ["https://console.example"] } });
  });
  afterAll(() => server.close());

  const cookie = { cookie: "token=admin-token", host: "linewright.example:3000" };
  const start = (headers: Record<string, string>, url = "/sample/devices/r1/start") =>
    server.inject({ method: "POST", url, headers });

  test.each([
    ["a foreign origin", { ...cookie, origin: "https://evil.example" }],
    ["another port", { ...cookie, origin: "http://linewright.example:4000" }],
    ["a hidden origin", { ...cookie, origin: "null" }],
    ["fetch metadata", { ...cookie, "sec-fetch-site": "cross-site" }],
  ])("with the cookie and %s are refused", async (_kind, headers) => {
    const reply = await start(headers);
    expect(reply.statusCode).toBe(403);
    expect(reply.json().message).toContain("another site");
  });

  test.each([
    ["the own origin", { ...cookie, origin: "http://linewright.example:3000", "sec-fetch-site": "same-origin" }],
    ["no browser", cookie],
    ["an own form whose origin the browser hides", { ...cookie, origin: "null", "sec-fetch-site": "same-origin" }],
    ["a trusted origin", { ...cookie, origin: "https://console.example", "sec-fetch-site": "cross-site" }],
    ["a bearer token", { ...asAdmin, origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ])("with %s pass", async (_kind, headers) => {
    expect((await start(headers as Record<string, string>)).statusCode).toBe(200);
  });

  test("public operations that change something are covered as well", async () => {
    expect((await start({ host: "here", origin: "https://evil.example" }, "/sample/ping")).statusCode).toBe(403);
  });

  test("reading is not", async () => {
    const reply = await server.inject({
      method: "GET",
      url: "/sample/health",
      headers: { ...cookie, origin: "https://evil.example" },
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
  });
});
