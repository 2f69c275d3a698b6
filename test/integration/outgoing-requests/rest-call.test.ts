import { once } from "node:events";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createOutgoingRequests,
  defaultDeniedNetworks,
  RequestError,
  type OutgoingRequests,
} from "../../../src/outgoing-requests/index.ts";
import { createRestCalls } from "../../../src/rest-calls.ts";
import { StoreUnavailableError } from "../../../src/store/store.ts";
import { restCallTask } from "../../../src/task-library/index.ts";
import { systemCaller } from "../../../src/core/caller.ts";
import type { TaskResult } from "../../../src/core/task.ts";
import { startScriptedServer, type ScriptedServer, type Script } from "../../support/scripted-server.ts";
import { testCertificate } from "../../support/test-certificate.ts";

const json = { "content-type": "application/json" };

const scripts: Readonly<Record<string, Script>> = {
  "/devices/r1": (_request, response) => response.writeHead(200, json).end('{"name":"r1","vlan":10}'),
  "/devices": ({ body }, response) => response.writeHead(201, { ...json, location: "/devices/r2" }).end(body),
  "/text": (_request, response) => response.writeHead(200, { "content-type": "text/plain" }).end("10"),
  "/untyped": (_request, response) => response.writeHead(200).end(' {"a":1}'),
  "/wrong-json": (_request, response) => response.writeHead(200, json).end("not json"),
  "/latin": (_request, response) =>
    response.writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" }).end(Buffer.from([0xe4])),
  "/binary": (_request, response) => response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x00])),
  "/nothing": (_request, response) => response.writeHead(204).end(),
  "/gzip": (_request, response) =>
    response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync('{"packed":true}')),
  "/gzip-of-nothing": (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(),
  "/deflate": (_request, response) =>
    response.writeHead(200, { ...json, "content-encoding": "deflate" }).end(deflateSync('{"packed":true}')),
  "/raw-deflate": (_request, response) =>
    response.writeHead(200, { ...json, "content-encoding": "deflate" }).end(deflateRawSync('{"packed":true}')),
  "/brotli": (_request, response) =>
    response.writeHead(200, { ...json, "content-encoding": " BR " }).end(brotliCompressSync('{"packed":true}')),
  "/wrongly-packed": (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("{}"),
  "/constructor": (_request, response) => response.writeHead(200, { "content-encoding": "constructor" }).end("x"),
  "/long": (_request, response) => response.writeHead(200, json).end(JSON.stringify("a".repeat(17 * 1024 * 1024))),
  "/gone": (_request, response) => response.writeHead(301, { location: "/devices" }).end(),
  "/see-other": (_request, response) => response.writeHead(303, { location: "/devices/r1" }).end(),
  "/raw-deflate-bomb": (_request, response) =>
    response.writeHead(200, { "content-encoding": "deflate" }).end(deflateRawSync(Buffer.alloc(40 * 1024 * 1024))),
  "/bomb": (_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(40 * 1024 * 1024))),
  "/odd-encoding": (_request, response) => response.writeHead(200, { "content-encoding": "rot13" }).end("x"),
  "/refused": (_request, response) => response.writeHead(422, json).end('{"why":"no such vlan"}'),
  "/moved": (_request, response) => response.writeHead(302, { location: "/devices/r1" }).end(),
  "/kept": (_request, response) => response.writeHead(307, { location: "/devices" }).end(),
  "/round": (_request, response) => response.writeHead(302, { location: "/round" }).end(),
  "/to-metadata": (_request, response) => response.writeHead(302, { location: "http://169.254.169.254/latest/" }).end(),
  "/to-file": (_request, response) => response.writeHead(302, { location: "file:///etc/hostname" }).end(),
  "/silent": () => undefined,
  "/half": (_request, response) => void response.writeHead(200, { ...json, "content-length": "100" }).write("{"),
  "/elsewhere": (_request, response) => response.writeHead(307, { location: `${other.url}/` }).end(),
  "/broken": (_request, response) => void response.destroy(),
};

const script: Script = (request, response) => {
  const known = scripts[request.path.split("?")[0] ?? ""];
  if (known) known(request, response);
  else response.writeHead(404, json).end('{"message":"not found"}');
};

let server: ScriptedServer;
let secure: ScriptedServer;
let other: ScriptedServer;
let requests: OutgoingRequests;

beforeAll(async () => {
  server = await startScriptedServer(script);
  secure = await startScriptedServer(script, { tls: true });
  other = await startScriptedServer((_request, response) => response.writeHead(200, json).end('"other"'));
  requests = createOutgoingRequests({
    deny: defaultDeniedNetworks,
    allow: [],
    resolveName: (name, _options, done) => {
      const address = name === "rebound.example.net" ? "169.254.169.254" : "127.0.0.1";
      done(null, [{ address, family: 4 }]);
    },
  });
});

afterAll(async () => {
  await requests.close();
  await Promise.all([server.close(), secure.close(), other.close()]);
});

/** The result of one task `restCall`. */
async function call(
  incoming: Record<string, unknown>,
  keep: () => Promise<unknown> = () => Promise.resolve("kept"),
  by = requests,
): Promise<TaskResult> {
  const { call: make } = createRestCalls(by, { call: () => Promise.reject(new Error("not a restCall")) });
  return make({
    task: { name: "restCall", app: "WorkFlowEngine" },
    incoming: { verb: "GET", ...incoming },
    caller: systemCaller,
    idempotencyKey: "key-1",
    keep,
  });
}

async function responseTo(path: string, incoming: object = {}): Promise<unknown> {
  const { outgoing, error } = await call({ uri: server.url + path, ...incoming });
  return error ?? outgoing["response"];
}

interface ErrorObject {
  IAPerror: { displayString: string; code?: number; raw_response?: object };
  response?: unknown;
}

async function failureOf(incoming: Record<string, unknown>): Promise<ErrorObject> {
  const { finishState, error } = await call(incoming);
  expect(finishState).toBe("error");
  return error as ErrorObject;
}

describe("a restCall", () => {
  it.each(restCallTask.examples.map((example, index) => [index + 1, example] as const))(
    "does what example %i says",
    async (_number, example) => {
      const uri = String(example.incoming["uri"]).replace("https://inventory.example.net", server.url);
      const { outgoing, finishState, error } = await call({ ...example.incoming, uri });
      if (example.error !== undefined) {
        expect(JSON.stringify(error)).toContain(example.error);
        return;
      }
      expect(finishState).toBe("success");
      expect(outgoing).toMatchObject(example.outgoing ?? {});
    },
  );

  it.each([
    ["/text", "10"],
    ["/untyped", { a: 1 }],
    ["/wrong-json", "not json"],
    ["/latin", "ä"],
    ["/binary", "//4A"],
    ["/nothing", ""],
    ["/gzip", { packed: true }],
    ["/gzip-of-nothing", ""],
    ["/deflate", { packed: true }],
    ["/raw-deflate", { packed: true }],
    ["/brotli", { packed: true }],
    ["/long", "kept"],
    ["/moved", { name: "r1", vlan: 10 }],
  ])("takes the answer of %s as it is meant", async (path, response) => {
    expect(await responseTo(path)).toEqual(response);
  });

  it("sends a body again where a redirection says so, and carries a key that repetitions share", async () => {
    expect(await responseTo("/kept", { verb: "POST", body: { name: "r3" } })).toEqual({ name: "r3" });
    const [first, second] = server.seen.slice(-2);
    expect([first?.path, second?.path, second?.method]).toEqual(["/kept", "/devices", "POST"]);
    expect(second?.headers["idempotency-key"]).toBe("key-1");
    await responseTo("/devices/r1");
    expect(server.seen.at(-1)?.headers).not.toHaveProperty("idempotency-key");
  });

  it("stays what it was when it is moved, but a POST, which becomes a GET", async () => {
    const methodAfter = async (path: string, verb: string) => {
      await responseTo(path, { verb, body: {} });
      return server.seen.at(-1)?.method;
    };
    for (const verb of ["DELETE", "PATCH", "PUT"]) expect(await methodAfter("/gone", verb)).toBe(verb);
    expect(await methodAfter("/gone", "POST")).toBe("GET");
    expect(await methodAfter("/see-other", "DELETE")).toBe("GET");
    expect(server.seen.at(-1)?.headers).not.toHaveProperty("content-type");
  });

  it("does not hand to another host what may be a credential", async () => {
    const headers = { "x-api-key": "k", cookie: "c=1", apikey: "k", "x-session": "s", accept: "application/xml" };
    expect(await responseTo("/elsewhere", { user: "admin", password: "secret", headers })).toBe("other");
    const seen: Record<string, unknown> = other.seen.at(-1)?.headers ?? {};
    const own = new Set(["host", "connection"]);
    expect(Object.keys(seen).filter((name) => !own.has(name))).toEqual(["accept", "user-agent"]);
    expect(seen["accept"]).toBe("application/xml");
  });

  it("tells of a refusal with status and answer", async () => {
    const { IAPerror, response } = await failureOf({
      uri: `${server.url}/refused?token=secret`,
      verb: "PUT",
      body: {},
    });
    expect(IAPerror).toMatchObject({
      displayString: `PUT 127.0.0.1:${server.port} answered 422`,
      code: 422,
      raw_response: { code: 422, response: '{"why":"no such vlan"}' },
    });
    expect(response).toEqual({ why: "no such vlan" });
  });

  it.each([
    ["/bomb", /more than \d+ bytes/u],
    ["/odd-encoding", /encoded as rot13/u],
    ["/raw-deflate-bomb", /more than \d+ bytes/u],
    ["/constructor", /encoded as constructor/u],
    ["/wrongly-packed", /not packed as it says/u],
    ["/round", /redirected more than 5 times/u],
    ["/to-metadata", /169.254.169.254: requests to this address are not allowed/u],
    ["/to-file", /requests by file: are not possible/u],
    ["/broken", /the connection was broken off/u],
  ])("ends in error for %s", async (path, message) => {
    const { IAPerror } = await failureOf({ uri: `http://admin:secret@127.0.0.1:${server.port}${path}?key=secret` });
    expect(IAPerror.displayString).toMatch(message);
    expect(JSON.stringify(IAPerror)).not.toContain("secret");
  });

  it.each(["/silent", "/half"])("ends when %s takes too long", async (path) => {
    const { IAPerror } = await failureOf({ uri: server.url + path, options: { timeout: 0.2 } });
    expect(IAPerror.displayString).toMatch(/no whole answer in time/u);
  });

  it("ends in error when nobody listens, or a name means a forbidden address at the moment of connecting", async () => {
    const gone = await startScriptedServer(script);
    await gone.close();
    expect((await failureOf({ uri: gone.url })).IAPerror.displayString).toMatch(/the connection was refused/u);
    const { IAPerror } = await failureOf({ uri: "http://rebound.example.net/" });
    expect(IAPerror.displayString).toBe("rebound.example.net: requests to this address are not allowed here");
  });

  it("is made again when its answer could not be kept, or the node stops", async () => {
    const away = new StoreUnavailableError("the store is away");
    await expect(call({ uri: `${server.url}/long` }, () => Promise.reject(away))).rejects.toBe(away);
    const stopping = createOutgoingRequests({ deny: [], allow: [] });
    const answered = once(server.requests, "/silent");
    const made = call({ uri: `${server.url}/silent` }, undefined, stopping);
    const outcome = Promise.allSettled([made]);
    await answered;
    await stopping.close();
    expect(await outcome).toMatchObject([{ reason: expect.any(RequestError) }]);
    await expect(call({ uri: `${server.url}/text` }, undefined, stopping)).rejects.toThrow("the node stops");
  });

  it("does not verify certificates of the hosts of a setting, however they are written", async () => {
    const by = createOutgoingRequests({
      deny: [],
      allow: [],
      unverifiedHosts: ["Device.Example.net"],
      resolveName: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
    });
    const to = (host: string) => call({ uri: `https://${host}:${secure.port}/devices/r1` }, undefined, by);
    expect((await to("device.example.net")).finishState).toBe("success");
    expect((await to("other.example.net")).finishState).toBe("error");
    await by.close();
  });

  it("breaks off what is under way when it is closed, whatever certificates it trusts", async () => {
    const by = createOutgoingRequests({ deny: [], allow: [] });
    const begun = once(server.requests, "/silent");
    const made = call({ uri: `${server.url}/silent`, options: { ca: `${testCertificate.cert}\n0` } }, undefined, by);
    const outcome = Promise.allSettled([made]);
    await begun;
    for (let other = 1; other < 20; other++)
      await call({ uri: `${server.url}/text`, options: { ca: `${testCertificate.cert}\n${other}` } }, undefined, by);
    await by.close();
    expect(await outcome).toMatchObject([{ reason: expect.any(RequestError) }]);
  });

  it("verifies certificates, unless it is told not to or whom to trust", async () => {
    const uri = `https://device.example.net:${secure.port}/devices/r1`;
    expect((await failureOf({ uri })).IAPerror.displayString).toMatch(/its certificate is self-signed/u);
    const trusted = await call({ uri, options: { ca: testCertificate.cert } });
    expect(trusted.outgoing["response"]).toEqual({ name: "r1", vlan: 10 });
    const unverified = await call({ uri, options: { verifyCertificate: false } });
    expect(unverified.finishState).toBe("success");
    const wrongName = await failureOf({
      uri: `https://other.example.net:${secure.port}/`,
      options: { ca: testCertificate.cert },
    });
    expect(wrongName.IAPerror.displayString).toMatch(/its certificate is for another name/u);
  });
});
