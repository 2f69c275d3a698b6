import Fastify, { type FastifyInstance } from "fastify";
import type { HostedApplication } from "../core/application.ts";
import type { Authenticator } from "../core/authenticator.ts";
import type { Clock } from "../core/clock.ts";
import { createIdentifiers } from "../core/identifiers.ts";
import type { Logger } from "../core/logger.ts";
import { createValidatorFactory } from "../core/validation/validator.ts";
import { createAdmission } from "./admission.ts";
import { addBodyParsers } from "./body-parsers.ts";
import { answerBrokenRequest } from "./broken-request.ts";
import { hostDocumentation } from "./documentation.ts";
import { addExchange } from "./exchange.ts";
import { InFlight } from "./in-flight.ts";
import { mountOperations } from "./mounted-operation.ts";
import { createRouter } from "./router.ts";

/** What can be set about the server. */
export interface HttpServerOptions {
  /** Version of the platform, shown in the OpenAPI document. */
  version: string;
  /** Largest body in bytes. Default 16 MiB (decision 7). */
  bodyLimitBytes?: number;
  /** Requests that are worked on at the same time, at most; more are answered 503 at once. Default 2,000. */
  mostRequestsInFlight?: number;
  /** Bytes of the bodies of these requests together, at most. Default 512 MiB. */
  mostBodyBytesInFlight?: number;
  /** Is `?token=` accepted? Default true (decision 12). */
  isQueryTokenAllowed?: boolean;
  /** Origins of pages beside the server's own that may send state-changing requests. Default none. */
  trustedOrigins?: readonly string[];
  /** Addresses or networks of proxies whose `X-Forwarded-*` headers are believed. Default none. */
  trustedProxies?: readonly string[];
}

/** What the server serves, and what it works with. */
export interface HttpServerSettings {
  applications: readonly HostedApplication[];
  authenticator: Authenticator;
  logger: Logger;
  clock: Clock;
  options: HttpServerOptions;
}

export interface HttpServer {
  /** Serves from now on. Port 0 takes a free one; the answer tells which. */
  listen(host: string, port: number): Promise<{ url: string; port: number }>;
  /** Handles a request without a network, for tests. */
  inject: FastifyInstance["inject"];
  /** Refuses new requests from now on, but those about health; resolves when those under way have ended. */
  drain(): Promise<void>;
  /** Closes the port, lets requests under way end, then resolves. */
  close(): Promise<void>;
}

const defaultBodyLimitBytes = 16 * 1024 * 1024;
const defaultMostRequests = 2_000;
const defaultMostBodyBytes = 512 * 1024 * 1024;

// A request must have arrived after two minutes and its head after twenty seconds, which ends slow
// senders; a handler may work for ten minutes, as long as clients of the field are used to wait.
const timeouts = { requestTimeout: 120_000, keepAliveTimeout: 72_000, connectionTimeout: 610_000 };
const headersTimeout = 20_000;

/** Builds the HTTP server over the operations of all applications. Two operations on one route are refused. */
export async function createHttpServer(settings: HttpServerSettings): Promise<HttpServer> {
  const { applications, authenticator, clock, logger, options } = settings;
  const { isQueryTokenAllowed = true, trustedOrigins = [], bodyLimitBytes = defaultBodyLimitBytes, version } = options;
  const documentation = hostDocumentation(applications, version);
  const router = createRouter(mountOperations([...applications, documentation], createValidatorFactory()));
  const admit = createAdmission({
    authenticator,
    isQueryTokenAllowed,
    trustedOrigins: new Set(trustedOrigins),
  });
  const fastify = createFastify(bodyLimitBytes, options.trustedProxies);
  const inFlight = new InFlight({
    requests: options.mostRequestsInFlight ?? defaultMostRequests,
    bodyBytes: options.mostBodyBytesInFlight ?? defaultMostBodyBytes,
  });
  let isEnding = false;
  let closed: Promise<undefined> | undefined;
  addBodyParsers(fastify);
  addExchange(fastify, {
    router,
    admit,
    logger,
    identifiers: createIdentifiers(clock),
    inFlight,
    bodyLimitBytes,
    isEnding: () => isEnding,
  });
  await fastify.ready();
  return {
    listen: async (host, port) => {
      const url = await fastify.listen({ host, port });
      return { url, port: Number(new URL(url).port) };
    },
    inject: fastify.inject.bind(fastify),
    drain: () => {
      isEnding = true;
      return inFlight.whenEmpty();
    },
    close: async () => {
      isEnding = true;
      await (closed ??= fastify.close());
    },
  };
}

function createFastify(bodyLimit: number, trustedProxies: readonly string[] = []): FastifyInstance {
  return Fastify({
    bodyLimit,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    ...timeouts,
    http: { headersTimeout, connectionsCheckingInterval: 5_000 },
    // Routing is ours (decision 7); the framework sees one path.
    rewriteUrl: () => "/",
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    clientErrorHandler: answerBrokenRequest,
  });
}
