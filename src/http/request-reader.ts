import type { IncomingHttpHeaders } from "node:http";
import type { TObject } from "@sinclair/typebox";
import type { Caller } from "../core/caller.ts";
import type { ErrorDetail } from "../core/errors.ts";
import { isJsonObject } from "../core/json.ts";
import type { Operation, OperationRequest } from "../core/operation.ts";
import { invalidRequest, type PartsCheck, type ValidatorFactory } from "../core/validation/validator.ts";
import { parseQueryString } from "./query-string.ts";
import { lenientSchema, strictSchema } from "./strict-schema.ts";

/** A request as it arrived: matched and admitted, not validated. */
export interface RawRequest {
  params: Record<string, string>;
  /** Text after the question mark. */
  query: string;
  /** Parsed body; undefined when there is none. */
  body: unknown;
  /** Of the body as sent. */
  bodyBytes: number;
  headers: IncomingHttpHeaders;
  caller: Caller;
  address: string;
  isSecure: boolean;
}

/** Validates a request; throws BAD_REQUEST with every offending path. */
export type RequestReader = (raw: RawRequest) => OperationRequest;

/** Prepares the reading of an operation's requests. */
export function createRequestReader(operation: Operation, validators: ValidatorFactory): RequestReader {
  const checkText = createTextCheck(operation, validators);
  const readQuery = createQueryReader(operation);
  const readBody = createBodyReader(operation, validators);
  return (raw) => {
    const { query, rest } = readQuery(raw);
    const { body, details } = readBody(rest, raw.bodyBytes);
    const found = [...checkText({ params: raw.params, query }, raw.query.length), ...details];
    if (found.length > 0) throw invalidRequest(found);
    const { params, caller, headers, address, isSecure } = raw;
    return { params, query, body, caller, headers, address, isSecure };
  };
}

function createTextCheck({ params, query }: Operation, validators: ValidatorFactory): PartsCheck {
  if (!params && !query) return () => [];
  return validators.forText({
    ...(params && { params: lenientSchema(params) }),
    ...(query && { query: lenientSchema(query) }),
  });
}

interface QueryAndRest {
  query: Record<string, unknown>;
  /** What is left of the body. */
  rest: unknown;
}

/**
 * Some clients put what belongs into the query of a GET into members of a body
 * (spec: platform-management.md §1.1, workflow-engine.md §9.1). The query itself wins.
 */
function createQueryReader({ method, query: schema, body }: Operation): (raw: RawRequest) => QueryAndRest {
  const isBodyQuery = method === "GET" && body === undefined;
  const isListed = (name: string) =>
    schema !== undefined && (Object.hasOwn(schema.properties, name) || isOpen(schema, name));
  const keepListed = (query: object) => Object.fromEntries(Object.entries(query).filter(([name]) => isListed(name)));
  return (raw) => {
    const query = schema ? keepListed(parseQueryString(raw.query, "/query")) : {};
    if (!isBodyQuery || !isJsonObject(raw.body)) return { query, rest: raw.body };
    const { queryOptions = {}, queryParameters = {}, ...rest } = raw.body;
    if (!isJsonObject(queryOptions) || !isJsonObject(queryParameters)) return { query, rest: raw.body };
    return { query: { ...keepListed({ ...queryOptions, ...queryParameters }), ...query }, rest };
  };
}

/** What a query schema does not list is passed over, so that no handler sees unchecked input; the token never is listed. */
function isOpen(schema: TObject, name: string): boolean {
  return schema.additionalProperties !== undefined && schema.additionalProperties !== false && name !== "token";
}

interface CheckedBody {
  body: unknown;
  details: readonly ErrorDetail[];
}

type BodyReader = (body: unknown, bytes: number) => CheckedBody;

function createBodyReader(operation: Operation, validators: ValidatorFactory): BodyReader {
  const { body: schema, isBodyOptional = false, ignoredMembers = [] } = operation;
  if (!schema) return (body) => ({ body: undefined, details: refuseMembers(body) });
  const check = validators.forJson({ body: strictSchema(schema) });
  return (sent, bytes) => {
    if (sent === undefined || (sent === null && isBodyOptional)) {
      return {
        body: undefined,
        details: isBodyOptional ? [] : [{ path: "/body", message: "is required" }],
      };
    }
    const body = withoutMembers(sent, ignoredMembers);
    return { body, details: check({ body }, bytes) };
  };
}

const mostDetails = 1000;

/** An operation without a body takes none, or an empty object. */
function refuseMembers(body: unknown): ErrorDetail[] {
  if (body === undefined || body === null) return [];
  if (!isJsonObject(body)) return [{ path: "/body", message: "is not expected here" }];
  const names = Object.keys(body).slice(0, mostDetails);
  return names.map((name) => ({ path: `/body/${name}`, message: "is not allowed here" }));
}

function withoutMembers(body: unknown, names: readonly string[]): unknown {
  if (!isJsonObject(body) || !names.some((name) => Object.hasOwn(body, name))) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}
