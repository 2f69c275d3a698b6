import { Readable } from "node:stream";
import { Reply, type Operation } from "../core/operation.ts";
import { dataHeaders, pageHeaders } from "./security-headers.ts";

/** A reply as it goes out. */
export interface SuccessResponse {
  status: number;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: string | Buffer | Readable | undefined;
}

/** Turns what a handler returned into a response. Made once per operation. */
export type ResponseWriter = (result: unknown) => SuccessResponse;

/** Prepares everything about the reply of an operation that does not depend on the result. */
export function createResponseWriter(operation: Operation): ResponseWriter {
  const { responseType = "application/json", documentedAs, status = 200 } = operation;
  const headers = {
    ...(responseType === "text/html" ? pageHeaders : dataHeaders),
    "content-type": responseType === "application/zip" ? responseType : `${responseType}; charset=utf-8`,
  };
  const isJson = responseType === "application/json";
  const write = (body: unknown) => {
    if (body instanceof Readable) return body;
    return isJson ? jsonText(body, documentedAs) : plainText(body);
  };
  return (result) => {
    if (!(result instanceof Reply)) return { status, headers, body: write(result) };
    const isEmpty = result.status === 204 || result.status === 304;
    const body = isEmpty || isRaw(result) ? rawBody(result.body) : write(result.body);
    return {
      status: result.status ?? status,
      headers: { ...headers, ...lowerCaseNames(result.headers) },
      body,
    };
  };
}

/**
 * The body as JSON. Under its documented name an object carries itself as well (decision 2): the
 * text is repeated, so that it is serialised once. A member of that name that is already there stays.
 */
function jsonText(body: unknown, documentedAs: string | undefined): string {
  const text = JSON.stringify(body) ?? "null";
  if (documentedAs === undefined || !text.startsWith("{")) return text;
  if ((body as Record<string, unknown>)[documentedAs] !== undefined) return text;
  const separator = text === "{}" ? "" : ",";
  return `${text.slice(0, -1)}${separator}${JSON.stringify(documentedAs)}:${text}}`;
}

function plainText(body: unknown): string {
  return typeof body === "string" ? body : (JSON.stringify(body) ?? "");
}

/** A reply that names its own content type has its body written already. */
function isRaw(reply: Reply): boolean {
  return Object.keys(reply.headers).some((name) => name.toLowerCase() === "content-type");
}

function rawBody(body: unknown): SuccessResponse["body"] {
  if (body === undefined || body === null) return undefined;
  return Buffer.isBuffer(body) || body instanceof Readable ? body : plainText(body);
}

function lowerCaseNames(headers: Reply["headers"]): Record<string, string | readonly string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
