import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSampleServer, type SampleServer } from "./sample-server.ts";

describe("documentation", () => {
  let server: SampleServer;
  beforeAll(async () => {
    server = await createSampleServer();
  });
  afterAll(() => server.close());

  const get = (url: string, headers = {}) => server.inject({ method: "GET", url, headers });

  test("the OpenAPI document is public and lists every operation", async () => {
    const reply = await get("/openapi.json");
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    const document = reply.json();
    expect(document.info.version).toBe("1.2.3");
    expect(document.paths["/sample/devices/{name}"].get.operationId).toBe("Sample.getDevice");
    expect(document.paths["/openapi.json"].get["x-roles"]).toBe("public");
    expect((await get("/help/openapi?url=http://x")).body).toBe(reply.body);
  });

  test("the home page shows the version and leads on", async () => {
    const reply = await get("/");
    expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(reply.headers["content-security-policy"]).not.toContain("unsafe");
    expect(reply.body).toContain("version 1.2.3");
    for (const [, target = ""] of reply.body.matchAll(/href="([^"]+)"/gu)) {
      if (!target.startsWith("/health")) expect([target, (await get(target)).statusCode]).toEqual([target, 200]);
    }
  });

  test("the reference page loads nothing from elsewhere and runs nothing inline", async () => {
    const reply = await get("/docs");
    expect(reply.body).not.toMatch(/https?:\/\//u);
    expect(reply.body).not.toMatch(/<script(?![^>]*\bsrc=)/u);
    expect(reply.headers["content-security-policy"]).toContain("script-src 'self';");
    const [, script = ""] = /<script [^>]*src="([^"]+)"/u.exec(reply.body) ?? [];
    const plain = await get(script);
    expect(plain.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    const packed = await get(script, { "accept-encoding": "gzip, br" });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  });
});
