import { request as httpRequest, Agent, type OutgoingHttpHeaders } from "node:http";
import { startServerProcess, type ServerProcess } from "../support/server-process.ts";
import { startCommonRouter } from "./good/common-objects.ts";
import { changedSince, openStoredState, type StoredState } from "./stored-state.ts";

/** A request as it goes over the wire. */
export interface FuzzRequest {
  method: string;
  /** Path and query, encoded. */
  path: string;
  headers: OutgoingHttpHeaders;
  body?: string | Buffer;
}

export interface FuzzReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  ms: number;
}

/** No answer within the time, or a connection that ended before it. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** The platform that requests are let loose on: a process of its own, so that a hang or a crash is seen from outside. */
export interface Target {
  readonly server: ServerProcess;
  readonly stored: StoredState;
  /** Where the platform reaches a router by SSH. */
  readonly routerPort: number;
  /** Requests of the administrator; `headers` may say otherwise. Throws NoAnswer. */
  send(request: FuzzRequest): Promise<FuzzReply>;
  /** Sends alone among all that change documents, and tells in which collections documents changed meanwhile. */
  sendAlone(request: FuzzRequest): Promise<{ reply: FuzzReply; changed: readonly string[] }>;
  /** Kills the process and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** An answer that takes longer counts as a hang. */
export const longestAnswerMs = 5_000;

const mostConnections = 24;

/** Starts a platform from the built code, on data of its own. */
export async function startTarget(): Promise<Target> {
  const agent = new Agent({ keepAlive: true, maxSockets: mostConnections });
  let server = await startServerProcess({ environment: { LINEWRIGHT_LOG_LEVEL: "error" } });
  const stored = openStoredState(server.dataDir);
  const router = await startCommonRouter();
  let last: Promise<unknown> = Promise.resolve();
  const send = (request: FuzzRequest): Promise<FuzzReply> => exchange(server, agent, request);
  return {
    get server() {
      return server;
    },
    stored,
    routerPort: router.port,
    send,
    sendAlone(request) {
      const sent = last.then(async () => {
        const before = stored.fingerprint();
        const reply = await send(request);
        return { reply, changed: changedSince(before, stored.fingerprint()) };
      });
      last = sent.catch(() => undefined);
      return sent;
    },
    async restart() {
      await server.kill();
      server = await server.restart();
    },
    async stop() {
      agent.destroy();
      stored.close();
      await server.kill();
      await server.stop();
      await router.close();
    },
  };
}

function exchange(
  server: ServerProcess,
  agent: Agent,
  { method, path, headers, body }: FuzzRequest,
): Promise<FuzzReply> {
  const startedAt = performance.now();
  const { hostname, port } = new URL(server.url);
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: { authorization: `Bearer ${server.token}`, ...length, ...headers },
        signal: AbortSignal.timeout(longestAnswerMs),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", (error) => reject(noAnswer(error)));
        const answer = () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString("utf8"),
            ms: Math.round(performance.now() - startedAt),
          });
        incoming.on("end", answer);
        // A stream of events has no end: that it begins is the answer.
        if (incoming.headers["content-type"]?.startsWith("text/event-stream")) {
          answer();
          incoming.destroy();
        }
      },
    );
    sent.on("error", (error) => reject(noAnswer(error)));
    sent.end(body);
  });
}

function noAnswer(error: Error & { code?: string }): NoAnswer {
  const isSlow = error.name === "AbortError" || error.name === "TimeoutError";
  return new NoAnswer(
    isSlow ? `no answer within ${longestAnswerMs} ms` : `the connection ended: ${error.code ?? error.message}`,
  );
}

/** A request with a JSON body. */
export function jsonRequest(method: string, path: string, body?: unknown): FuzzRequest {
  const headers = { "content-type": "application/json" };
  return body === undefined ? { method, path, headers: {} } : { method, path, headers, body: JSON.stringify(body) };
}
