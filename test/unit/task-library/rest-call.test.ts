import { describe, expect, it } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { readRestCall } from "../../../src/task-library/index.ts";

const uri = "https://inventory.example.net/devices";
const read = (incoming: object) => readRestCall({ uri, verb: "POST", ...incoming });

describe("the request of a restCall", () => {
  it("sends values as JSON, texts as they are, and nothing with GET", () => {
    expect(read({ body: { a: 1 } })).toMatchObject({
      body: '{"a":1}',
      headers: { "content-type": "application/json" },
    });
    expect(read({ body: "[1]" })).toMatchObject({ body: "[1]", headers: { "content-type": "application/json" } });
    expect(read({ body: "plain" }).headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(read({ body: false }).body).toBe("false");
    expect(read({ body: "" }).body).toBeUndefined();
    expect(read({ verb: "GET", body: { a: 1 } }).body).toBeUndefined();
  });

  it("authenticates with user and password, of the arguments or of the address", () => {
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;
    expect(read({ user: "admin", password: "pä:ss" }).headers["authorization"]).toBe(basic("admin:pä:ss"));
    const { url, headers } = read({ uri: "http://us%40er:p%20w@example.net/" });
    expect([headers["authorization"], url.href]).toEqual([basic("us@er:p w"), "http://example.net/"]);
    expect(read({ uri: "http://a%zz@example.net/" }).headers["authorization"]).toBe(basic("a%zz:"));
    expect(read({}).headers["authorization"]).toBeUndefined();
    expect(read({ user: "admin", headers: { Authorization: "Bearer t" } }).headers["authorization"]).toBe("Bearer t");
  });

  it("takes headers of any case, and numbers", () => {
    const { headers } = read({
      headers: { "Content-Type": "application/xml", "X-Count": 7, none: null },
      body: "<a/>",
    });
    expect(headers).toMatchObject({ "content-type": "application/xml", "x-count": "7" });
    expect(headers).not.toHaveProperty("none");
  });

  it.each([
    [{ uri: "" }, /uri is not an address/u],
    [{ uri: "inventory/devices" }, /uri is not an address/u],
    [{ uri: "file:///etc/hostname" }, /uri begins with file:/u],
    [{ uri: "gopher://example.net/" }, /uri begins with gopher:/u],
    [{ uri: "http://[::1" }, /uri is not an address/u],
    [{ verb: "TRACE" }, /Schema validation failed on verb/u],
    [{ headers: { "a b": "1" } }, /headers has a name that is none/u],
    [{ headers: { "x-a": "1\r\nx-b: 2" } }, /headers.x-a has characters/u],
    [{ headers: { "x-a": "\u0000" } }, /headers.x-a has characters/u],
    [{ headers: { "x-a": "→" } }, /headers.x-a has characters/u],
    [{ headers: { "x-a": {} } }, /headers.x-a is not text/u],
    [{ headers: { Host: "other" } }, /headers may not hold host/u],
    [{ headers: { "Transfer-Encoding": "chunked" } }, /headers may not hold transfer-encoding/u],
    [{ options: { timeout: 0 } }, /options.timeout/u],
    [{ options: { timeout: 601 } }, /options.timeout/u],
    [{ options: { verifyCertificate: "no" } }, /options.verifyCertificate/u],
    [{ options: { ca: "/etc/ssl/ca.pem" } }, /options.ca holds no certificate/u],
    [{ options: { ca: `-----BEGIN CERTIFICATE-----${"A".repeat(256 * 1024)}` } }, /or more than 262144 characters/u],
    [{ options: { proxy: "http://example.net" } }, /options has no member "proxy"/u],
  ])("is refused for %j", (incoming, message) => {
    expect(() => read(incoming)).toThrow(TaskError);
    expect(() => read(incoming)).toThrow(message);
  });
});
