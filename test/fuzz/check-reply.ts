import type { Application, ErrorStyle } from "../../src/core/application.ts";
import { errorStatuses } from "../../src/core/errors.ts";
import { isJsonObject } from "../../src/core/json.ts";
import type { FuzzReply, FuzzRequest } from "./target.ts";

/** What is wrong with a reply in one sentence; undefined when nothing is. */
export type Problem = string | undefined;

/** Statuses from 500 that are documented answers. */
const documentedFailures = new Set([501, 502, 503, 504]);

/** What no answer may show: stacks, SQL, paths of the server. */
const leaks: readonly RegExp[] = [
  /\n\s+at \S+ ?\(?.*:\d+:\d+\)?/u,
  /node:internal|node_modules/u,
  /SQLITE_|SqliteError|no such (?:table|column)/u,
  /\bSELECT .{1,200} FROM\b|\bINSERT INTO\b|\bUPDATE \w+ SET\b/u,
  /\/(?:src|dist)\/[\w./-]+\.[jt]s\b/u,
  /linewright\.db/u,
];

/** Checks the reply to whatever was asked of an operation of this application. */
export function checkReply(request: FuzzRequest, reply: FuzzReply, application?: Application): Problem {
  const { status, text } = reply;
  if (status >= 500 && !documentedFailures.has(status)) return `${status} ${text.slice(0, 300)}`;
  const leak = leaks.find((pattern) => pattern.test(text) && !pattern.test(String(request.body ?? "")));
  if (leak && status >= 400) return `the ${status} leaks ${String(leak)}: ${text.slice(0, 300)}`;
  if (request.method === "HEAD") return undefined;
  if (status >= 400) return checkErrorBody(request, reply, application?.errorStyle);
  return isJson(reply) && parsed(text) === undefined ? `the ${status} is not JSON: ${text.slice(0, 300)}` : undefined;
}

function checkErrorBody(request: FuzzRequest, reply: FuzzReply, style: ErrorStyle | undefined): Problem {
  const { status, text } = reply;
  const body = parsed(text);
  // Errors of token requests have a form of their own (RFC 6749 §5.2).
  if (isTokenError(request, body)) return undefined;
  if (!hasFittingCode(reply, body)) return `the ${status} has no fitting error code: ${text.slice(0, 300)}`;
  if (style === "string" && typeof body === "string") return undefined;
  if (style === "status" && isJsonObject(body) && body["status"] === "failure") return undefined;
  return isErrorBody(body) ? undefined : `the ${status} has no error body: ${text.slice(0, 300)}`;
}

function isTokenError({ path }: FuzzRequest, body: unknown): boolean {
  return /^\/oauth\/token\b/iu.test(path) && isJsonObject(body) && typeof body["error"] === "string";
}

/** Broken HTTP is refused by the connection itself, with statuses of its own. */
const connectionStatuses = new Set([408, 431]);

function hasFittingCode({ status, headers }: FuzzReply, body: unknown): boolean {
  const code = headers["x-error-code"] ?? (isJsonObject(body) ? body["code"] : undefined);
  if (connectionStatuses.has(status)) return code === "BAD_REQUEST";
  return Object.entries(errorStatuses).some(([known, its]) => known === code && its === status);
}

function isErrorBody(body: unknown): boolean {
  if (!isJsonObject(body)) return false;
  const { code, message, data, metadata } = body;
  if (typeof code !== "string" || typeof message !== "string" || message === "" || data !== null) return false;
  const errors = isJsonObject(metadata) ? metadata["errors"] : undefined;
  return Array.isArray(errors) && errors.every(isErrorDetail);
}

function isErrorDetail(detail: unknown): boolean {
  return isJsonObject(detail) && typeof detail["path"] === "string" && typeof detail["message"] === "string";
}

function isJson({ headers, text }: FuzzReply): boolean {
  return text !== "" && String(headers["content-type"] ?? "").startsWith("application/json");
}

/** A JSON value; undefined for text that is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
