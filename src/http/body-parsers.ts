import type { FastifyInstance, FastifyRequest } from "fastify";
import { PlatformError } from "../core/errors.ts";
import { parseJsonBody } from "./json-body.ts";
import { parseQueryString } from "./query-string.ts";

type Parse = (bytes: Buffer) => unknown;

/** Bodies the server reads: JSON (also `+json` types) and forms; anything else is refused with 415 unread. */
export function addBodyParsers(fastify: FastifyInstance): void {
  const parser =
    (parse: Parse) => (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      request.bodyBytes = bytes.length;
      done(null, parse(bytes));
    };
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json\b/iu, { parseAs: "buffer" }, parser(parseJsonBody));
  fastify.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "buffer" }, parser(parseForm));
  fastify.addContentTypeParser("*", (request, _stream, done) => {
    if (hasBody(request))
      throw new PlatformError("UNSUPPORTED_MEDIA_TYPE", "The body must be JSON (application/json) or a form.");
    done(null, undefined);
  });
  // Clients send JSON bodies with GET too (decision 7).
  fastify.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
}

function parseForm(bytes: Buffer): unknown {
  return bytes.length === 0 ? undefined : parseQueryString(bytes.toString("utf8"), "/body");
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
