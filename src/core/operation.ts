import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Caller } from "./caller.ts";
import type { RoleName } from "./roles.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler sees of a request: validated parts, and who asks. */
export interface OperationRequest<Params = unknown, Query = unknown, Body = unknown> {
  params: Params;
  query: Query;
  body: Body;
  caller: Caller;
  /** Lower-case header names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Network address of the client, where the request came over the network: what wrong logins are counted by. */
  address?: string;
  /** True when the client speaks https (directly or through a trusted proxy): cookies are marked Secure then. */
  isSecure?: boolean;
}

/** A reply that is more than a 200 with a JSON body. A body that is a `Readable` is sent as it comes. */
export class Reply {
  readonly body: unknown;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;

  constructor(body: unknown, more: { status?: number; headers?: Record<string, string | readonly string[]> } = {}) {
    this.body = body;
    this.status = more.status;
    this.headers = more.headers ?? {};
  }
}

/** A reply whose JSON is written already. Not for operations that are tasks too: those answer values. */
export function jsonReply(text: string): Reply {
  return new Reply(text, { headers: { "content-type": "application/json; charset=utf-8" } });
}

/** How an operation is offered to workflows as an automatic task. */
export interface OperationTask {
  /** Names of the incoming variables in the order of the arguments; each is put into the path, query or body part of that name. */
  incoming: readonly string[];
  /** Name of the outgoing variable that takes the reply. */
  outgoing: string;
  /** Picks the task's value out of the reply, where it is not the reply itself. */
  select?: (reply: unknown) => unknown;
}

/**
 * One operation of an application. Route, validation, role check, OpenAPI, reference page and
 * conformance row all derive from this value; nothing about an operation is said anywhere else.
 */
export interface Operation<Services = unknown> {
  /** The field's name, odd case included. Unique within its application. */
  name: string;
  method: Method;
  /** `:name` marks a parameter; a last segment `*` takes the rest of the path as parameter `*`. */
  path: string;
  /** Other spellings of the same route that shipped clients call. */
  aliases?: readonly { method: Method; path: string }[];
  summary: string;
  description?: string;
  /** Who may call it. `"public"`: no credentials asked; `"authenticated"`: any signed-in account. */
  roles: readonly RoleName[] | "public" | "authenticated";
  params?: TObject;
  query?: TObject;
  /** Strict: unknown members are refused unless the schema says otherwise (decision 3). */
  body?: TSchema;
  /** True where the body may be missing altogether. */
  isBodyOptional?: boolean;
  /** Members that clients echo back and that are dropped before validation (decision 3). */
  ignoredMembers?: readonly string[];
  /** Success status. Default 200. */
  status?: number;
  response: TSchema;
  /** Media type of the success reply. Default JSON. */
  responseType?: "application/json" | "text/plain" | "text/html" | "text/event-stream" | "application/zip";
  /** The documented name of the result: the reply carries itself under this member too (decision 2). */
  documentedAs?: string;
  task?: OperationTask;
  deprecated?: boolean;
  /** Absent: not built yet; answered 501 after authentication and role check. */
  handle?: (services: Services, request: OperationRequest<never, never, never>) => unknown;
}

type Part<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

type OperationDefinition<Services, P, Q, B> = Omit<Operation<Services>, "params" | "query" | "body" | "handle"> & {
  params?: P;
  query?: Q;
  body?: B;
  handle: (services: Services, request: OperationRequest<Part<P>, Part<Q>, Part<B>>) => unknown;
};

/** Defines operations of one application: `const operation = operationOf<MyServices>()`; request types follow the schemas. */
export function operationOf<Services>() {
  return <
    P extends TObject | undefined = undefined,
    Q extends TObject | undefined = undefined,
    B extends TSchema | undefined = undefined,
  >(
    definition: OperationDefinition<Services, P, Q, B>,
  ): Operation<Services> => definition as Operation<Services>;
}
