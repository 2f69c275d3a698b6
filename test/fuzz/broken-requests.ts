import type { Random } from "./random.ts";
import type { FuzzRequest } from "./target.ts";

type Breakage = (request: FuzzRequest, random: Random) => FuzzRequest;

const brokenJson: readonly (string | Buffer)[] = [
  "{",
  "[1,2",
  '{"a":1,}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":1}{"b":2}',
  '\uFEFF{"a":1}',
  '"\\ud800"',
  '{"__proto__":{"isPolluted":true}}',
  '{"constructor":{"prototype":{"isPolluted":true}}}',
  '{"\\u005f_proto__":{}}',
  '{"a":1,"a":2}',
  "1e99999",
  "null",
  "[]",
  '"text"',
  "",
  " ",
  "\0",
  "[".repeat(100_000),
  '{"a":'.repeat(50_000),
  Buffer.from([0x22, 0xff, 0xfe, 0x22]),
  Buffer.from('{"a":1}', "utf16le"),
];

const contentTypes = [
  "text/plain",
  "application/xml",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "application/json; charset=utf-16",
  "application/vnd.api+json",
  "application/jsonx",
  "*/*",
  "",
  ";",
];

const rawPaths = [
  "%",
  "%zz",
  "%00",
  "%C0%AF",
  "..",
  "%2e%2e%2f",
  ".",
  "%20",
  "%2F",
  "//",
  "?a=%",
  "?a[=1",
  "?a[b][c]=1",
  "?&&=&",
];

const breakages: readonly Breakage[] = [
  (request, random) => ({
    ...request,
    headers: { ...request.headers, "content-type": "application/json" },
    body: random.pick(brokenJson),
  }),
  (request, random) => ({
    ...request,
    headers: { ...request.headers, "content-type": "application/json" },
    body: random.pick(brokenJson),
  }),
  (request, random) => ({
    ...request,
    headers: { ...request.headers, "content-type": random.pick(contentTypes) },
    body: request.body ?? "a=1&b[c]=2&d=%",
  }),
  (request, random) => ({
    ...request,
    method: random.pick(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"]),
  }),
  (request, random) => ({ ...request, path: request.path.replace(/\/?[^/?]*(?=\?|$)/u, `/${random.pick(rawPaths)}`) }),
  (request, random) => ({ ...request, path: request.path + random.pick(rawPaths) }),
  (request) => ({ ...request, path: request.path.toUpperCase() }),
  (request, random) => ({
    ...request,
    headers: {
      ...request.headers,
      authorization: random.pick([
        "",
        "Bearer",
        "Bearer x",
        "Basic",
        "Basic !!",
        "Basic OjpA",
        "Digest a",
        `Bearer ${"x".repeat(6_000)}`,
      ]),
    },
  }),
  (request) => ({ ...request, headers: { ...request.headers, "content-encoding": "gzip" } }),
  (request) => ({ ...request, headers: { ...request.headers, cookie: "token=%zz; token=a; =; ;;" } }),
  (request) => ({
    ...request,
    headers: { ...request.headers, "content-type": "application/json" },
    body: JSON.stringify({ text: "x".repeat(200_000) }),
  }),
];

/** A request that is wrong in a way that no schema tells of. */
export function brokenRequest(request: FuzzRequest, random: Random): FuzzRequest {
  const broken = random.pick(breakages)(request, random);
  const isBodiless = ["HEAD", "OPTIONS", "TRACE"].includes(broken.method);
  if (!isBodiless) return broken;
  const { body: _body, ...rest } = broken;
  return rest;
}
