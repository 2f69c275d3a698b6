import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { conflict, PlatformError } from "../../../src/core/errors.ts";
import { createLogger } from "../../../src/core/logger.ts";
import { DuplicateKeyError, StoreUnavailableError, VersionConflictError } from "../../../src/store/store.ts";
import { asAdmin, createSampleServer, type SampleServer } from "./sample-server.ts";

describe("replies", () => {
  let server: SampleServer;
  beforeAll(async () => {
    server = await createSampleServer();
  });
  afterAll(() => server.close());

  const get = (url: string) => server.inject({ method: "GET", url, headers: asAdmin });

  test("the documented name carries the reply itself too (decision 2)", async () => {
    expect((await get("/sample/health")).body).toBe('{"arch":"x64","results":{"arch":"x64"}}');
  });

  test("a member of that name that is there already stays", async () => {
    expect((await get("/sample/list")).json()).toEqual({ results: [1], total: 1 });
  });

  test("an empty object carries itself too", async () => {
    expect((await get("/sample/empty")).json()).toEqual({ results: {} });
  });

  test("a string is a JSON string", async () => {
    const reply = await get("/sample/text");
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(reply.body).toBe('"say \\"hello\\""');
  });

  test("plain text is bare, and headers may be many", async () => {
    const reply = await get("/sample/token");
    expect(reply.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(reply.headers["set-cookie"]).toEqual(["token=abc; Path=/", "other=1"]);
    expect(reply.body).toBe("abc");
  });

  test("204 has no body", async () => {
    const reply = await get("/sample/nothing");
    expect(reply.statusCode).toBe(204);
    expect(reply.body).toBe("");
  });

  test("data can be neither framed, sniffed, cached nor run", async () => {
    const { headers } = await get("/sample/health");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    });
    expect(headers).not.toHaveProperty("x-powered-by");
    expect(headers).not.toHaveProperty("server");
  });

  test("a page runs its own scripts only", async () => {
    const policy = String((await get("/sample/page")).headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain("unsafe");
  });
});

describe("errors", () => {
  const lines: string[] = [];
  let server: SampleServer;
  beforeAll(async () => {
    const logger = createLogger(
      "error",
      (line) => lines.push(line),
      () => 0,
    );
    server = await createSampleServer({ logger });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    lines.length = 0;
  });

  const failWith = async (error: unknown) => {
    server.services.failWith = error;
    const reply = await server.inject({ method: "GET", url: "/sample/devices", headers: asAdmin });
    server.services.failWith = undefined;
    return reply;
  };

  test("the one error body", async () => {
    const reply = await failWith(new PlatformError("UNPROCESSABLE", "No.", [{ path: "/body/a", message: "is odd" }]));
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toEqual({
      code: "UNPROCESSABLE",
      message: "No.",
      data: null,
      metadata: { errors: [{ path: "/body/a", message: "is odd" }] },
    });
    expect(reply.headers["x-content-type-options"]).toBe("nosniff");
  });

  test.each([
    [new StoreUnavailableError("disk /var/data is full"), 503, "UNAVAILABLE"],
    [new DuplicateKeyError("devices", "name"), 409, "CONFLICT"],
    [new VersionConflictError("devices 17"), 409, "CONFLICT"],
  ])("%s is told without its insides", async (error, status, code) => {
    const reply = await failWith(error);
    expect(reply.statusCode).toBe(status);
    expect(reply.json().code).toBe(code);
    expect(reply.body).not.toContain(error.message);
    expect(reply.headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
  });

  test("too many requests say when to come again", async () => {
    const locked = Object.assign(new PlatformError("TOO_MANY_REQUESTS", "Locked."), { retryAfterMs: 900_000 });
    expect((await failWith(locked)).headers["retry-after"]).toBe("900");
    expect((await failWith(new PlatformError("TOO_MANY_REQUESTS", "Slow down."))).headers["retry-after"]).toBe("60");
  });

  test.each([
    [new Error("SELECT secret FROM /root/x")],
    [new TypeError("x is undefined")],
    ["a thrown text"],
    [Object.assign(new Error("adapter says 400"), { statusCode: 400 })],
    [{ statusCode: 404 }],
  ])("%s stays inside: the caller gets a reference, the log the rest", async (error) => {
    const reply = await failWith(error);
    expect(reply.statusCode).toBe(500);
    const { code, message } = reply.json();
    expect(code).toBe("INTERNAL_ERROR");
    const [, reference = "none"] =
      /^Something went wrong on the server\. Reference: ([0-9a-f]{24})$/u.exec(message) ?? [];
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "error",
      reference,
      method: "GET",
      path: "/sample/devices",
    });
  });

  test("what a caller did wrong is not logged as an error", async () => {
    await failWith(conflict("Taken."));
    expect(lines).toEqual([]);
  });

  test("an application may answer the message as a JSON string", async () => {
    const fail = (payload: object, headers = asAdmin) =>
      server.inject({ method: "POST", url: "/texts/fail", headers, payload });
    const reply = await fail({ name: "a" });
    expect(reply.statusCode).toBe(404);
    expect(reply.body).toBe('"Could not find matching template"');
    expect(reply.headers["x-error-code"]).toBe("NOT_FOUND");
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect((await fail({})).body).toBe('"Invalid request: /body/name is required."');
    expect((await fail({ name: "a" }, { authorization: "Bearer x" })).json()).toBe(
      "The credentials are wrong, expired or revoked.",
    );
  });

  test("forms answer a taken name with a status, and everything else in full", async () => {
    const create = (payload: object) => server.inject({ method: "POST", url: "/forms", headers: asAdmin, payload });
    const taken = await create({ name: "a" });
    expect(taken.statusCode).toBe(409);
    expect(taken.json()).toEqual({ status: "failure", message: "Form a exists already." });
    expect((await create({})).json()).toMatchObject({
      code: "BAD_REQUEST",
      metadata: { errors: [{ path: "/body/name" }] },
    });
  });

  test("a server that shuts down ends what is under way and takes nothing new", async () => {
    const closing = await createSampleServer();
    const { port } = await closing.listen("127.0.0.1", 0);
    const url = `http://127.0.0.1:${port}/sample/wait`;
    const underWay = fetch(url, { headers: asAdmin });
    await closing.services.waiting.promise;
    const drained = closing.drain();
    const refused = await fetch(url, { headers: asAdmin });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("connection")).toBe("close");
    expect(await refused.json()).toMatchObject({ code: "UNAVAILABLE", message: "The server is shutting down." });
    closing.services.release();
    expect(await (await underWay).json()).toBe("done");
    await drained;
    await closing.close();
    await expect(fetch(url, { headers: asAdmin })).rejects.toThrow();
  });
});
