import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asAdmin, createSampleServer, type SampleServer } from "./sample-server.ts";

describe("routing (decision 7)", () => {
  let server: SampleServer;
  beforeAll(async () => {
    server = await createSampleServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.services.calls.length = 0;
  });

  const get = (url: string) => server.inject({ method: "GET", url, headers: asAdmin });

  test.each([
    "/sample/devices",
    "/SAMPLE/Devices",
    "/sample/devices/",
    "//sample///devices//",
    "/sample/devices%20",
    "/sample/devices/%20",
    "/sample/devices?",
    "/sample/devices/?",
    "/sample/d%65vices",
    "http://example.org/sample/devices",
  ])("%s reaches the list", async (url) => {
    const reply = await get(url);
    expect(reply.statusCode).toBe(200);
    expect(reply.json().operation).toBe("getDevices");
  });

  test.each([
    ["/sample/devices/Router-A", "Router-A"],
    ["/SAMPLE/DEVICES/MixedCase", "MixedCase"],
    ["/sample/devices/a%20b%40c%3Ad", "a b@c:d"],
    ["/sample/devices/a%2Fb", "a/b"],
    ["/sample/devices/a%252Fb", "a%2Fb"],
    ["/sample/devices/100%25", "100%"],
    ["/sample/devices/a+b", "a+b"],
    ["/sample/devices/name/", "name"],
    ["/sample/devices/name%20", "name"],
    ["/sample/devices/%C4%B0stanbul", "İstanbul"],
    ["/sample/devices/validation", "validation"],
  ])("%s gives the name %s, decoded once and in its own case", async (url, name) => {
    expect((await get(url)).json()).toMatchObject({ operation: "getDevice", params: { name } });
  });

  test("a literal wins over a parameter, whatever its case", async () => {
    expect((await get("/sample/devices/statistics")).json().operation).toBe("getStatistics");
  });

  test("a name with slashes is taken whole by a trailing *", async () => {
    const reply = await server.inject({
      method: "DELETE",
      url: "/sample/models/@vendor/adapter_X:4.1",
      headers: asAdmin,
    });
    expect(reply.json()).toMatchObject({ operation: "deleteModel", params: { "*": "@vendor/adapter_X:4.1" } });
  });

  test("the parameter wins over *", async () => {
    const reply = await server.inject({ method: "DELETE", url: "/sample/models/plain", headers: asAdmin });
    expect(reply.json().params).toEqual({ name: "plain" });
  });

  test.each(["/sample/devices/%zz", "/sample/devices/%C3", "/sample/devices/%00"])(
    "%s is malformed: 400",
    async (url) => {
      const reply = await get(url);
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({ code: "BAD_REQUEST", metadata: { errors: [{ path: "/params" }] } });
    },
  );

  test.each(["/nowhere", "/sample", "/sample/devices/a/b", "/sample/devices/a/start/b"])(
    "%s is unknown: 404",
    async (url) => {
      const reply = await get(url);
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toEqual({
        code: "NOT_FOUND",
        message: "There is no operation on this path.",
        data: null,
        metadata: { errors: [] },
      });
    },
  );

  test("a known path with another method is 405 and names those it takes", async () => {
    const reply = await server.inject({ method: "PATCH", url: "/sample/devices", headers: asAdmin });
    expect(reply.statusCode).toBe(405);
    expect(reply.headers.allow).toBe("POST, GET, DELETE, HEAD, OPTIONS");
    expect(reply.json().code).toBe("METHOD_NOT_ALLOWED");
  });

  test("methods of literal and parameter are offered together", async () => {
    const reply = await server.inject({ method: "POST", url: "/sample/devices/validation", headers: asAdmin });
    expect(reply.statusCode).toBe(405);
    expect(reply.headers.allow).toBe("PUT, GET, HEAD, OPTIONS");
  });

  test("OPTIONS answers the methods without CORS headers", async () => {
    const reply = await server.inject({
      method: "OPTIONS",
      url: "/sample/ping",
      headers: { origin: "https://elsewhere.example" },
    });
    expect(reply.statusCode).toBe(204);
    expect(reply.headers.allow).toBe("POST, OPTIONS");
    expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("HEAD answers as GET does, without the body", async () => {
    const [head, whole] = await Promise.all([
      server.inject({ method: "HEAD", url: "/sample/health", headers: asAdmin }),
      get("/sample/health"),
    ]);
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe("");
    expect(head.headers["content-length"]).toBe(String(whole.body.length));
  });

  test("HEAD of a path without GET is 405", async () => {
    expect((await server.inject({ method: "HEAD", url: "/sample/ping" })).statusCode).toBe(405);
  });

  test("a method the server has never heard of is refused", async () => {
    const reply = await server.inject({ method: "PROPFIND" as never, url: "/sample/devices", headers: asAdmin });
    expect(reply.statusCode).toBe(405);
  });
});
