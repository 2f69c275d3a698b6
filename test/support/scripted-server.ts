import { EventEmitter } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { testCertificate } from "./test-certificate.ts";

/** A request as a server of a test saw it. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export type Script = (request: SeenRequest, response: ServerResponse) => void;

/** A server on this machine that answers as its script says and remembers what it was asked. */
export interface ScriptedServer {
  port: number;
  url: string;
  seen: SeenRequest[];
  /** Tells of each request by its path, before it is answered. */
  requests: EventEmitter<Record<string, [SeenRequest]>>;
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback address. */
export async function startScriptedServer(script: Script, { tls = false } = {}): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const requests = new EventEmitter<Record<string, [SeenRequest]>>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, body: await text(request) };
    seen.push(one);
    requests.emit(path, one);
    script(one, response);
  };
  const listener: RequestListener = (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  };
  const server = tls ? createTlsServer(testCertificate, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    seen,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
