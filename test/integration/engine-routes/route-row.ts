import { applicationList } from "../../../src/applications.ts";
import type { Application } from "../../../src/core/application.ts";
import { pointerTokens } from "../../../src/core/json-pointer.ts";
import type { Method, Operation } from "../../../src/core/operation.ts";
import type { Scene } from "./scene.ts";

/** The parts of a request, as pointers of errors name them. */
export interface Call {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** Why there is no such case. */
export interface NotApplicable {
  notApplicable: string;
}

/** There is no such case, because … */
export function notApplicable(reason: string): NotApplicable {
  return { notApplicable: reason };
}

/** Is there no such case? */
export function isNotApplicable(cases: object | string): cases is NotApplicable {
  return typeof cases === "object" && "notApplicable" in cases;
}

/** A value in place of that of the good request: where it is put, what it is, and where the error lies if elsewhere. */
export type BadCase = readonly [at: string, value: unknown, reportedAt?: string];

/** What an operation must do with each kind of request. */
export interface RouteRow {
  /** Makes ready what a request needs that succeeds, and the request. Its jobs and workflows are those of the member's group. */
  good(scene: Scene): Promise<Call> | Call;
  /** Members that a good answer has, at least. */
  shows?: (call: Call, scene: Scene) => unknown;
  /** Who sends it. Default: the member where roles allow it, otherwise the administrator. */
  as?: "admin";
  /** Refused with 400 that names the place. What the schema says already (required members, surplus ones) is tried for all. */
  bad: readonly BadCase[] | NotApplicable;
  /** Places that name something: 404 when it does not exist. A value stands for the usual unknown one. */
  unknown: readonly (string | readonly [at: string, value: string])[] | NotApplicable;
  /** Of the same request by somebody of another group: 404, or a good answer in which the job or the workflow is absent. */
  otherGroup: "refused" | "absent" | NotApplicable;
  /** Undoes what a good request did to the whole platform. */
  tidy?: (scene: Scene) => Promise<unknown>;
}

/** Rows by application and operation: `WorkFlowEngine.pauseJob`. */
export type RouteRows = Readonly<Record<string, RouteRow>>;

/** An operation of the engine, or of the newer routes to what it runs and keeps. */
export interface EngineRoute {
  name: string;
  application: Application;
  operation: Operation;
}

const engineApplications = new Set(["WorkFlowEngine", "OperationsManager", "WorkflowBuilder"]);
/** Automation studio has other things too: projects and templates. */
const studioPaths = /^\/automation-studio\/(?!projects\b|templates\b)/u;

/** Every built operation that needs a row. */
export const engineRoutes: readonly EngineRoute[] = applicationList
  .flatMap((application) =>
    application.operations.map((operation) => ({
      name: `${application.id}.${operation.name}`,
      application,
      operation,
    })),
  )
  .filter(({ operation }) => operation.handle !== undefined)
  .filter(({ application, operation }) => engineApplications.has(application.id) || studioPaths.test(operation.path));

/** A request as it is sent. */
export interface SentCall {
  method: Method;
  path: string;
  body: unknown;
}

/** The request of a call under one spelling of its route. */
export function sentCall(route: { method: Method; path: string }, { params = {}, query = {}, body }: Call): SentCall {
  const path = route.path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return { method: route.method, path: search === "" ? path : `${path}?${search}`, body };
}

/** The call with another value at one place; undefined takes the member away. */
export function withValue(call: Call, pointer: string, value: unknown): Call {
  return placed(call, pointerTokens(pointer), value) as Call;
}

function placed(container: unknown, [token, ...rest]: readonly string[], value: unknown): unknown {
  if (token === undefined) return value;
  if (Array.isArray(container))
    return container.map((item, at) => (`${at}` === token ? placed(item, rest, value) : item));
  const members = (container ?? {}) as Record<string, unknown>;
  return { ...members, [token]: placed(members[token], rest, value) };
}
