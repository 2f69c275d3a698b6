import { Type } from "@sinclair/typebox";
import { host, type Application } from "../../../src/core/application.ts";
import type { Authenticator, Credentials } from "../../../src/core/authenticator.ts";
import type { Caller } from "../../../src/core/caller.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { silentLogger, type Logger } from "../../../src/core/logger.ts";
import { operationOf, Reply } from "../../../src/core/operation.ts";
import { planned } from "../../../src/core/planned-operation.ts";
import { forms, texts } from "./error-style-applications.ts";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "../../../src/http/server.ts";

/** A clock that stands still. */
export const fixedClock: Clock = { now: () => Date.UTC(2025, 0, 2), after: () => () => undefined };

/** What the sample operations were called with, and what they throw next. */
export interface SampleServices {
  calls: { operation: string; params: unknown; query: unknown; body: unknown; username: string }[];
  failWith: unknown;
  /** Resolves when somebody waits in `wait`, which ends with `release`. */
  waiting: { promise: Promise<void>; resolve(): void };
  released: Promise<void>;
  release(): void;
}

const operation = operationOf<SampleServices>();

const Device = Type.Object({
  name: Type.String({ minLength: 1 }),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  kind: Type.Optional(Type.Union([Type.Literal("router"), Type.Literal("switch")])),
  address: Type.Optional(Type.Object({ street: Type.String(), floor: Type.Optional(Type.Number()) })),
  tags: Type.Optional(Type.Array(Type.String())),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  owner: Type.Optional(Type.Union([Type.String(), Type.Object({ id: Type.String(), since: Type.Number() })])),
  document: Type.Optional(Type.Object({ id: Type.Optional(Type.String()) }, { additionalProperties: true })),
});

function record(
  services: SampleServices,
  name: string,
  request: { params: unknown; query: unknown; body: unknown; caller: Caller },
) {
  const { params, query, body, caller } = request;
  services.calls.push({ operation: name, params, query, body, username: caller.username });
  if (services.failWith !== undefined) throw services.failWith;
  return { operation: name, params, query, body };
}

const common = { response: Type.Unknown(), roles: ["admin"] as const };

const sample: Application<SampleServices> = {
  id: "Sample",
  name: "Sample",
  summary: "Operations to try the HTTP layer with.",
  operations: [
    operation({
      ...common,
      name: "createDevice",
      method: "POST",
      path: "/sample/devices",
      summary: "Create.",
      ignoredMembers: ["_id", "created"],
      body: Device,
      handle: (services, request) => record(services, "createDevice", request),
    }),
    operation({
      ...common,
      name: "getDevices",
      method: "GET",
      path: "/sample/devices",
      summary: "List.",
      query: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
        order: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(-1)])),
        isActive: Type.Optional(Type.Boolean()),
        collections: Type.Optional(Type.Array(Type.String())),
        equals: Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.String()])),
        sort: Type.Optional(Type.String()),
      }),
      handle: (services, request) => record(services, "getDevices", request),
    }),
    operation({
      ...common,
      name: "getDevice",
      method: "GET",
      path: "/sample/devices/:name",
      summary: "One.",
      params: Type.Object({ name: Type.String({ maxLength: 60 }) }),
      handle: (services, request) => record(services, "getDevice", request),
    }),
    operation({
      ...common,
      name: "getStatistics",
      method: "GET",
      path: "/sample/devices/Statistics",
      summary: "Literal beside a parameter.",
      handle: (services, request) => record(services, "getStatistics", request),
    }),
    operation({
      ...common,
      name: "validateDevice",
      method: "PUT",
      path: "/sample/devices/validation",
      summary: "Literal of another method.",
      body: Device,
      isBodyOptional: true,
      handle: (services, request) => record(services, "validateDevice", request),
    }),
    operation({
      ...common,
      name: "deleteDevices",
      method: "DELETE",
      path: "/sample/devices",
      summary: "With a body.",
      body: Type.Object({ ids: Type.Array(Type.String()) }),
      handle: (services, request) => record(services, "deleteDevices", request),
    }),
    operation({
      ...common,
      name: "deleteModel",
      method: "DELETE",
      path: "/sample/models/:name",
      aliases: [{ method: "DELETE", path: "/sample/models/*" }],
      summary: "Names with slashes.",
      handle: (services, request) => record(services, "deleteModel", request),
    }),
    operation({
      ...common,
      name: "startDevice",
      method: "POST",
      path: "/sample/devices/:name/start",
      summary: "No body.",
      handle: (services, request) => record(services, "startDevice", request),
    }),
    operation({
      ...common,
      name: "getHealth",
      method: "GET",
      path: "/sample/health",
      summary: "Documented name.",
      documentedAs: "results",
      handle: () => ({ arch: "x64" }),
    }),
    operation({
      ...common,
      name: "getList",
      method: "GET",
      path: "/sample/list",
      summary: "Documented name that is there already.",
      documentedAs: "results",
      handle: () => ({ results: [1], total: 1 }),
    }),
    operation({
      ...common,
      name: "getEmpty",
      method: "GET",
      path: "/sample/empty",
      summary: "Documented name of an empty object.",
      documentedAs: "results",
      handle: () => ({}),
    }),
    operation({
      ...common,
      name: "getText",
      method: "GET",
      path: "/sample/text",
      summary: "A string.",
      handle: () => 'say "hello"',
    }),
    operation({
      ...common,
      name: "getToken",
      method: "GET",
      path: "/sample/token",
      summary: "Plain text.",
      responseType: "text/plain",
      handle: () => new Reply("abc", { headers: { "Set-Cookie": ["token=abc; Path=/", "other=1"] } }),
    }),
    operation({
      ...common,
      name: "getPage",
      method: "GET",
      path: "/sample/page",
      summary: "A page.",
      responseType: "text/html",
      handle: () => "<!doctype html><title>Page</title>",
    }),
    operation({
      ...common,
      name: "getNothing",
      method: "GET",
      path: "/sample/nothing",
      summary: "Nothing.",
      handle: () => new Reply(undefined, { status: 204 }),
    }),
    operation({
      ...common,
      name: "ping",
      method: "POST",
      path: "/sample/ping",
      summary: "Public.",
      roles: "public",
      handle: (services, request) => record(services, "ping", request),
    }),
    operation({
      ...common,
      name: "whoAmI",
      method: "GET",
      path: "/sample/whoami",
      summary: "Any account.",
      roles: "authenticated",
      handle: (_services, { caller }) => ({ username: caller.username }),
    }),
    operation({
      ...common,
      name: "getClient",
      method: "GET",
      path: "/sample/client",
      summary: "Who asks from where.",
      handle: (_services, { address, isSecure }) => ({ address, isSecure }),
    }),
    operation({
      ...common,
      name: "wait",
      method: "GET",
      path: "/sample/wait",
      summary: "Takes as long as it takes.",
      handle: async (services) => {
        services.waiting.resolve();
        await services.released;
        return "done";
      },
    }),
    planned("notYet", "POST /sample/not-yet", "Not built.", ["admin"]),
  ],
};

const caller = (username: string, isAllowed: Caller["isAllowed"]): Caller => ({
  accountId: username,
  username,
  groupIds: [],
  isAdmin: false,
  isAllowed,
});

const callers: Readonly<Record<string, Caller>> = {
  "admin-token": caller("admin", () => true),
  "weak-token": caller("weak", () => false),
};

/** Knows two tokens, and the admin by password. */
export const sampleAuthenticator: Authenticator = {
  authenticate: async (credentials: Credentials) => {
    if (credentials.kind === "token") return callers[credentials.token];
    return credentials.username === "admin" && credentials.password === "pass:word"
      ? callers["admin-token"]
      : undefined;
  },
};

function signal(): { promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve: () => resolve() };
}

export interface SampleServer extends HttpServer {
  services: SampleServices;
}

/** A server over the sample applications; close it after use. */
export async function createSampleServer(
  more: { options?: Partial<HttpServerOptions>; logger?: Logger } = {},
): Promise<SampleServer> {
  const waiting = signal();
  const released = signal();
  const services: SampleServices = {
    calls: [],
    failWith: undefined,
    waiting,
    released: released.promise,
    release: released.resolve,
  };
  const server = await createHttpServer({
    applications: [host(sample, services), host(texts, undefined), host(forms, undefined)],
    authenticator: sampleAuthenticator,
    logger: more.logger ?? silentLogger,
    clock: fixedClock,
    options: { version: "1.2.3", ...more.options },
  });
  return { ...server, services };
}

/** Header of the caller that may do everything. */
export const asAdmin = { authorization: "Bearer admin-token" };
export const asWeak = { authorization: "Bearer weak-token" };
