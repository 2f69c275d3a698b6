import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asAdmin, createSampleServer, type SampleServer } from "./sample-server.ts";

describe("bodies on the wire", () => {
  let server: SampleServer;
  beforeAll(async () => {
    server = await createSampleServer({ options: { bodyLimitBytes: 100_000 } });
  });
  afterAll(() => server.close());

  const json = { ...asAdmin, "content-type": "application/json" };
  const post = (payload: string | Buffer, headers: Record<string, string> = json) =>
    server.inject({ method: "POST", url: "/sample/devices", headers, payload });

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/problem+json",
    "application/vnd.yang.data+json",
  ])("%s is JSON", async (type) => {
    expect((await post('{"name":"a"}', { ...asAdmin, "content-type": type })).statusCode).toBe(200);
  });

  test("a byte order mark is passed over", async () => {
    expect((await post('\uFEFF{"name":"a"}')).statusCode).toBe(200);
  });

  test("a form is taken where a body is", async () => {
    const reply = await post("name=R+1&address[street]=Main%20St&tags[]=a&tags[]=b", {
      ...asAdmin,
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(reply.json().body).toEqual({ name: "R 1", address: { street: "Main St" }, tags: ["a", "b"] });
  });

  test("DELETE takes a body", async () => {
    const reply = await server.inject({
      method: "DELETE",
      url: "/sample/devices",
      headers: json,
      payload: '{"ids":["1"]}',
    });
    expect(reply.json().body).toEqual({ ids: ["1"] });
  });

  test.each(["GET", "DELETE"] as const)("%s with a JSON content type and no body is fine", async (method) => {
    const url = method === "GET" ? "/sample/devices" : "/sample/models/a";
    expect((await server.inject({ method, url, headers: json })).statusCode).toBe(200);
  });

  test("a GET with some other content type and no body is fine", async () => {
    const headers = { ...asAdmin, "content-type": "text/plain" };
    expect((await server.inject({ method: "GET", url: "/sample/devices", headers })).statusCode).toBe(200);
  });

  test.each(["text/plain", "application/xml", "multipart/form-data; boundary=x", "nonsense"])(
    "%s is 415",
    async (type) => {
      const reply = await post('{"name":"a"}', { ...asAdmin, "content-type": type });
      expect(reply.statusCode).toBe(415);
      expect(reply.json().code).toBe("UNSUPPORTED_MEDIA_TYPE");
    },
  );

  test("a body of no declared type is 415", async () => {
    expect((await post('{"name":"a"}', asAdmin)).statusCode).toBe(415);
  });

  test("a body that is too large is 413, announced or not", async () => {
    const large = JSON.stringify({ name: "n".repeat(100_001) });
    const reply = await post(large);
    expect(reply.statusCode).toBe(413);
    expect(reply.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE", data: null });
    const { port } = await server.listen("127.0.0.1", 0);
    const chunked = await fetch(`http://127.0.0.1:${port}/sample/devices`, {
      method: "POST",
      headers: json,
      body: new Blob([large]).stream(),
      duplex: "half",
    });
    expect(chunked.status).toBe(413);
  });

  test.each([
    ["{", "is not JSON"],
    ["{'name':1}", "is not JSON"],
    ['{"name":"secret-value"', "is not JSON"],
    ["NaN", "is not JSON"],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "is not UTF-8"],
    ['{"__proto__":{"isAdmin":true}}', "would change an object's prototype"],
    ['{"name":"a","document":{"\\u005f_proto__":{}}}', "would change an object's prototype"],
    ['{"constructor":{"prototype":{"x":1}}}', "would change an object's prototype"],
    [`${"[".repeat(40_000)}${"]".repeat(40_000)}`, "is nested deeper than 1000 levels"],
    [`{"name":"\\\\","document":${'{"a":'.repeat(1001)}1${"}".repeat(1001)}}`, "is nested deeper than 1000 levels"],
  ])("%.40s: %s", async (payload, problem) => {
    const reply = await post(payload);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().message).toContain(problem);
    expect(reply.body).not.toContain("secret-value");
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });

  test("texts that only look dangerous are taken", async () => {
    const body = {
      name: "__proto__",
      document: { text: "[".repeat(3000), constructor: "x", prototype: 1, quoted: '"\\"[' },
    };
    const reply = await post(JSON.stringify(body));
    expect(reply.statusCode).toBe(200);
    expect(reply.json().body).toEqual(body);
  });

  test("a thousand levels are still taken", async () => {
    const nested = `${"[".repeat(990)}${"]".repeat(990)}`;
    expect((await post(`{"name":"a","document":{"deep":${nested}}}`)).statusCode).toBe(200);
  });

  test("whatever is sent, the server never fails", async () => {
    const texts = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().map((text) => `{"name":"a","document":${text}}`),
      fc
        .record({ name: fc.jsonValue(), port: fc.jsonValue(), owner: fc.jsonValue(), address: fc.jsonValue() })
        .map((body) => JSON.stringify(body)),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (payload) => {
        const reply = await post(payload);
        expect([200, 400]).toContain(reply.statusCode);
      }),
      { numRuns: 1000 },
    );
  });

  test("whatever path and query are asked for, the server never fails", async () => {
    const target = fc.tuple(fc.webPath(), fc.webQueryParameters()).map(([path, query]) => `/sample${path}?${query}`);
    await fc.assert(
      fc.asyncProperty(target, async (url) => {
        const reply = await server.inject({ method: "GET", url, headers: asAdmin });
        expect(reply.statusCode).toBeLessThan(500);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("broken HTTP", () => {
  let server: SampleServer;
  let port = 0;
  beforeAll(async () => {
    server = await createSampleServer();
    ({ port } = await server.listen("127.0.0.1", 0));
  });
  afterAll(() => server.close());

  const send = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(text));
      let answer = "";
      socket.on("data", (bytes) => {
        answer += bytes.toString();
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(answer));
    });

  const head = "POST /sample/ping HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

  test.each([
    ["no request line", "nonsense\r\n\r\n", 400],
    ["two lengths", `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ["length and chunks", `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ["a blank in the path", "GET /sample/a b HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["a header that is too large", `${head}X-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("%s is answered once in the one error body, and hung up on", async (_kind, text, status) => {
    const answer = await send(text);
    expect(answer.match(/HTTP\/1\.1 /gu)).toHaveLength(1);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, "u"));
    const body: unknown = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
    expect(body).toMatchObject({ code: "BAD_REQUEST", data: null, metadata: { errors: [] } });
  });
});
