import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asAdmin, createSampleServer, type SampleServer } from "./sample-server.ts";

describe("validation", () => {
  let server: SampleServer;
  beforeAll(async () => {
    server = await createSampleServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.services.calls.length = 0;
  });

  const create = (payload: object) =>
    server.inject({ method: "POST", url: "/sample/devices", headers: asAdmin, payload });
  const errorsOf = async (payload: object) => {
    const reply = await create(payload);
    expect(reply.statusCode).toBe(400);
    return reply.json().metadata.errors;
  };

  test("every offending path of a body is named at once", async () => {
    const body = { port: "22", kind: "hub", address: { floor: 1, room: 2 }, tags: ["a", 1], surplus: true };
    expect(await errorsOf(body)).toEqual(
      expect.arrayContaining([
        { path: "/body/name", message: "is required" },
        { path: "/body/surplus", message: "is not allowed here" },
        { path: "/body/port", message: "must be an integer" },
        { path: "/body/kind", message: 'must be one of "router", "switch"' },
        { path: "/body/address/street", message: "is required" },
        { path: "/body/address/room", message: "is not allowed here" },
        { path: "/body/tags/1", message: "must be a string" },
      ]),
    );
    expect(await errorsOf(body)).toHaveLength(7);
    expect(server.services.calls).toEqual([]);
  });

  test("the message itself names the first places", async () => {
    const reply = await create({ surplus: 1 });
    expect(reply.json().message).toBe("Invalid request: /body/name is required; /body/surplus is not allowed here.");
  });

  test.each([
    [{ name: "" }, "/body/name", "must not be empty"],
    [{ name: "a", port: 0 }, "/body/port", "must be at least 1"],
    [{ name: "a", port: 70_000 }, "/body/port", "must be at most 65535"],
    [{ name: "a", labels: { x: 1 } }, "/body/labels/x", "must be a string"],
    [{ name: "a", owner: 5 }, "/body/owner", "must be a string or an object"],
    [{ name: "a", owner: { id: "x" } }, "/body/owner/since", "is required"],
    [{ name: "a", "x/y~z": 1 }, "/body/x~1y~0z", "is not allowed here"],
    [{ name: "a", document: { id: 1 } }, "/body/document/id", "must be a string"],
    [["a"], "/body", "must be an object"],
  ])("%j: %s %s", async (body, path, message) => {
    expect(await errorsOf(body)).toEqual([{ path, message }]);
  });

  test("bodies are taken as they are: order kept, nothing converted, open members kept", async () => {
    const body = { tags: ["1"], name: "r1", labels: { z: "1", a: "2" }, document: { b: { c: 1 }, a: 1 } };
    const reply = await create(body);
    expect(reply.statusCode).toBe(200);
    expect(JSON.stringify(reply.json().body)).toBe(JSON.stringify(body));
  });

  test("members that clients echo back are dropped first", async () => {
    const reply = await create({ _id: 1, name: "r1", created: "2020" });
    expect(reply.json().body).toEqual({ name: "r1" });
  });

  test("a missing body is named", async () => {
    const reply = await server.inject({ method: "POST", url: "/sample/devices", headers: asAdmin });
    expect(reply.json().metadata.errors).toEqual([{ path: "/body", message: "is required" }]);
  });

  test("an optional body may be missing, empty or null, and is validated when it is there", async () => {
    const validate = (payload?: string) =>
      server.inject({
        method: "PUT",
        url: "/sample/devices/validation",
        headers: { ...asAdmin, "content-type": "application/json" },
        ...(payload !== undefined && { payload }),
      });
    for (const payload of [undefined, "", "null"]) expect((await validate(payload)).statusCode).toBe(200);
    expect((await validate("{}")).statusCode).toBe(400);
  });

  test("an operation without a body takes none, an empty object or null", async () => {
    const start = (payload: string) =>
      server.inject({
        method: "POST",
        url: "/sample/devices/r1/start",
        headers: { ...asAdmin, "content-type": "application/json" },
        payload,
      });
    for (const payload of ["", "{}", "null"]) expect((await start(payload)).statusCode).toBe(200);
    expect((await start('{"force":true}')).json().metadata.errors).toEqual([
      { path: "/body/force", message: "is not allowed here" },
    ]);
    expect((await start("[1]")).json().metadata.errors).toEqual([{ path: "/body", message: "is not expected here" }]);
  });

  test("a path parameter is validated", async () => {
    const reply = await server.inject({ method: "GET", url: `/sample/devices/${"n".repeat(61)}`, headers: asAdmin });
    expect(reply.json().metadata.errors).toEqual([
      { path: "/params/name", message: "must have at most 60 characters" },
    ]);
  });

  test("a huge invalid body is answered at once, with its first error", async () => {
    const tags = Array.from({ length: 500_000 }, () => 1);
    expect(await errorsOf({ name: "a", tags })).toEqual([{ path: "/body/tags/0", message: "must be a string" }]);
  });
});

describe("queries", () => {
  let server: SampleServer;
  beforeAll(async () => {
    server = await createSampleServer();
  });
  afterAll(() => server.close());

  const list = (query: string, payload?: object) =>
    server.inject({ method: "GET", url: `/sample/devices${query}`, headers: asAdmin, ...(payload && { payload }) });
  const queryOf = async (query: string, payload?: object) => (await list(query, payload)).json().query;

  test.each([
    ["?limit=25&order=-1&isActive=true", { limit: 25, order: -1, isActive: true }],
    ["?equals=a%20b+c", { equals: "a b c" }],
    ["?equals[name]=x&equals[workflow.name]=y", { equals: { name: "x", "workflow.name": "y" } }],
    ["?equals%5Bname%5D=x", { equals: { name: "x" } }],
    ["?collections=a&collections=b", { collections: ["a", "b"] }],
    ["?collections=a", { collections: ["a"] }],
    ["?collections[]=a", { collections: ["a"] }],
    ["?sort=", { sort: "" }],
    ["?&&limit=1&", { limit: 1 }],
    ["?limit=1&unheard=of&toString=1&token=admin-token", { limit: 1 }],
  ])("%s", async (query, expected) => {
    expect(await queryOf(query)).toEqual(expected);
  });

  test.each([
    ["?limit=many", "/query/limit", "must be an integer"],
    ["?limit=101", "/query/limit", "must be at most 100"],
    ["?limit=1.5", "/query/limit", "must be an integer"],
    ["?order=2", "/query/order", "must be one of 1, -1"],
    ["?isActive=perhaps", "/query/isActive", "must be true or false"],
  ])("%s is refused at %s", async (query, path, message) => {
    const reply = await list(query);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().metadata.errors).toEqual([{ path, message }]);
  });

  test.each(["?__proto__=1", "?equals[__proto__]=1", "?equals[constructor]=1", "?sort=%zz", `?${"a&".repeat(1001)}`])(
    "%.30s is refused",
    async (query) => {
      expect((await list(query)).statusCode).toBe(400);
    },
  );

  test("queryOptions in the body of a GET behave as the query, which wins", async () => {
    expect(await queryOf("?limit=5", { queryOptions: { limit: 7, sort: "name", order: 1 } })).toEqual({
      limit: 5,
      sort: "name",
      order: 1,
    });
    expect(await queryOf("", { queryParameters: { limit: 7 } })).toEqual({ limit: 7 });
  });

  test("anything else in the body of a GET is refused", async () => {
    expect((await list("", { queryOptions: {}, other: 1 })).json().metadata.errors).toEqual([
      { path: "/body/other", message: "is not allowed here" },
    ]);
    expect((await list("", { queryOptions: "limit" })).statusCode).toBe(400);
  });

  test("errors of query and body are told together", async () => {
    const reply = await list("?limit=x", { other: 1 });
    expect(reply.json().metadata.errors.map(({ path }: { path: string }) => path)).toEqual([
      "/query/limit",
      "/body/other",
    ]);
  });
});
