import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../core/caller.ts";
import { notFound, PlatformError } from "../core/errors.ts";
import type { Identifiers } from "../core/identifiers.ts";
import type { Logger } from "../core/logger.ts";
import type { Admission } from "./admission.ts";
import { asPlatformError, errorResponse, internalError } from "./error-response.ts";
import type { InFlight, Place } from "./in-flight.ts";
import type { MountedOperation } from "./mounted-operation.ts";
import { parseRequestTarget } from "./request-target.ts";
import type { RouteMatch, Router } from "./router.ts";
import { dataHeaders } from "./security-headers.ts";

interface Match extends RouteMatch<MountedOperation> {
  /** Text after the question mark. */
  query: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The operation the request is for, once it is known. */
    match: Match | undefined;
    /** Who calls, once admitted. */
    caller: Caller | undefined;
    bodyBytes: number;
    /** Its place among the requests in flight, once it has one. */
    place: Place | undefined;
  }
}

/** What the exchange of requests and replies works with. */
export interface ExchangeParts {
  router: Router<MountedOperation>;
  admit: Admission;
  logger: Logger;
  identifiers: Identifiers;
  inFlight: InFlight;
  /** Most bytes of a body. */
  bodyLimitBytes: number;
  /** No new requests are taken. */
  isEnding(): boolean;
}

/** Adds the way of every request: route, admission, then body, validation, handler and reply. */
export function addExchange(fastify: FastifyInstance, parts: ExchangeParts): void {
  fastify.decorateRequest("match", undefined);
  fastify.decorateRequest("caller", undefined);
  fastify.decorateRequest("bodyBytes", 0);
  fastify.decorateRequest("place", undefined);
  fastify.addHook("onRequest", (request, reply) => receive(parts, request, reply));
  fastify.addHook("onSend", (_request, reply, payload, done) => {
    // A connection that is kept alive would hold up the end of the server.
    if (parts.isEnding()) reply.header("connection", "close");
    done(null, payload);
  });
  fastify.addHook("onResponse", (request, reply, done) => {
    logRequest(parts.logger, request, reply);
    done();
  });
  fastify.setErrorHandler((error, request, reply) => refuse(parts, error, request, reply));
  fastify.route({ method: fastify.supportedMethods, url: "/", handler: answer });
  // Methods the framework does not know end here; the hook above has refused them already.
  fastify.setNotFoundHandler(answer);
}

async function receive(parts: ExchangeParts, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { segments, query } = parseRequestTarget(request.originalUrl);
  const match = parts.router.find(request.method === "HEAD" ? "GET" : request.method, segments);
  if (!match) return refuseRoute(parts.router, segments, request, reply);
  request.match = { ...match, query };
  const { method, headers, host, ip: address } = request;
  const admit = () => parts.admit({ mounted: match.target, method, headers, host, query, address });
  // Whether the platform is well is told however much it has to do, and also while it ends.
  if (match.target.application.id === "Health") request.caller = await admit();
  else request.caller = await takePlace(parts, request, reply).during(admit);
  return undefined;
}

function takePlace(parts: ExchangeParts, request: FastifyRequest, reply: FastifyReply): Place {
  if (parts.isEnding()) throw new PlatformError("UNAVAILABLE", "The server is shutting down.");
  const place = parts.inFlight.take(expectedBytes(request, parts.bodyLimitBytes));
  if (!place) {
    throw new PlatformError("UNAVAILABLE", "The server has as many requests to work on as it takes. Try again soon.");
  }
  request.place = place;
  reply.raw.once("close", () => place.leave());
  return place;
}

/** A body of unknown length may have as many as are taken. */
function expectedBytes({ headers }: FastifyRequest, mostBytes: number): number {
  if (headers["transfer-encoding"] !== undefined) return mostBytes;
  return Math.min(Number(headers["content-length"] ?? 0), mostBytes);
}

function refuseRoute(
  router: Router<MountedOperation>,
  segments: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const methods: string[] = router.methodsOf(segments);
  if (methods.length === 0) throw notFound("There is no operation on this path.");
  const allowed = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  reply.header("allow", allowed);
  if (request.method === "OPTIONS") return reply.code(204).headers(dataHeaders).send();
  throw new PlatformError("METHOD_NOT_ALLOWED", `This path takes ${allowed}, not ${request.method}.`);
}

function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  request.place?.resize(request.bodyBytes);
  return request.place ? request.place.during(() => perform(request, reply)) : perform(request, reply);
}

async function perform(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { match, caller, body, bodyBytes, headers, ip: address } = request;
  if (!match || !caller) throw notFound("There is no operation on this path.");
  const { operation, services, read, write } = match.target;
  const isSecure = request.protocol === "https";
  const { params, query } = match;
  const operationRequest = read({ params, query, body, bodyBytes, headers, caller, address, isSecure });
  // Admission has refused operations without a handler; their requests are typed by their own schemas.
  const result: unknown = await operation.handle?.(services, operationRequest as never);
  const response = write(result);
  return reply
    .code(response.status)
    .headers(response.headers as Record<string, string>)
    .send(request.method === "HEAD" ? withoutStream(response.body) : response.body);
}

/** Who asks for the head alone reads no stream: it would never end. */
function withoutStream<Body>(body: Body): Body | undefined {
  if (!(body instanceof Readable)) return body;
  body.destroy();
  return undefined;
}

function refuse(parts: ExchangeParts, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asPlatformError(thrown) ?? logInternalError(parts, thrown, request);
  const { status, headers, body } = errorResponse(error, request.match?.target.application);
  return reply
    .code(status)
    .headers({ ...dataHeaders, ...headers })
    .send(body);
}

/** The caller learns a reference only; the log has the error under it. */
function logInternalError(
  { identifiers, logger }: ExchangeParts,
  thrown: unknown,
  request: FastifyRequest,
): PlatformError {
  const reference = identifiers.documentId();
  const error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  logger.error("request failed", {
    reference,
    method: request.method,
    path: pathOf(request),
    error,
  });
  return internalError(reference);
}

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { method, caller } = request;
  const fields = {
    method,
    path: pathOf(request),
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
  };
  logger.debug("request", caller ? { ...fields, username: caller.username } : fields);
}

/** Without the query: it may carry a token. */
function pathOf(request: FastifyRequest): string {
  return request.originalUrl.split("?", 1)[0] ?? "";
}
