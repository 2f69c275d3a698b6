import type { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import { createAddressCheck, type AddressRules } from "./address-rules.ts";
import { Agents } from "./agents.ts";
import { unpackedBody } from "./answer-body.ts";
import type { ResolveName } from "./guarded-connector.ts";
import { redirected } from "./redirection.ts";
import { explainFailure, RequestError } from "./request-error.ts";

/** A request to somewhere outside. */
export interface OutgoingRequest {
  url: URL;
  method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** For everything together, redirections and the reading of the body included. */
  timeoutMs: number;
  tls?: TlsOptions | undefined;
}

/** How the certificate of the other side is judged. */
export interface TlsOptions {
  verify?: boolean | undefined;
  /** Authorities in PEM, in place of the usual ones. */
  ca?: string | undefined;
}

/** An answer whose body has not been read yet. It must be read or destroyed. */
export interface OutgoingAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: Readable;
}

/** Requests to the outside, each through the guard (decision 22). */
export interface OutgoingRequests {
  /** RequestError when there is no answer, or the node stops. Redirections are followed, five at most. */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** Has `close` been called? What failed since then may have failed for that. */
  readonly isClosed: boolean;
  /** Breaks off what is under way; nothing is sent afterwards. */
  close(): Promise<void>;
}

export interface OutgoingRequestOptions extends AddressRules {
  /** Hosts whose certificates are not verified: networks are no hosts here, names and addresses are. */
  unverifiedHosts?: readonly string[];
  /** What tests replace. */
  resolveName?: ResolveName;
}

const mostRedirections = 5;
const connectTimeoutMs = 10_000;

/** Makes requests to addresses that the rules allow. */
export function createOutgoingRequests(options: OutgoingRequestOptions): OutgoingRequests {
  const { resolveName, unverifiedHosts = [] } = options;
  const agents = new Agents({ isAllowed: createAddressCheck(options), connectTimeoutMs, resolveName });
  const unverified = new Set(unverifiedHosts.map(hostName));
  let isClosed = false;

  const agentFor = ({ hostname }: URL, tls: TlsOptions = {}): Agent => {
    if (isClosed) throw new RequestError(`${hostname}: the node stops`);
    const verifiesCertificates = tls.verify ?? !unverified.has(hostName(hostname));
    return agents.for({ verifiesCertificates, authorities: tls.ca });
  };

  return {
    get isClosed() {
      return isClosed;
    },
    send: async (request) => {
      const signal = AbortSignal.timeout(request.timeoutMs);
      let hop: OutgoingRequest = request;
      for (let count = 0; count <= mostRedirections; count++) {
        const answer = await sendOnce(agentFor(hop.url, hop.tls), hop, signal);
        const next = nextHop(hop, answer);
        if (!next) return answer;
        hop = next;
      }
      throw new RequestError(`${request.url.host}: redirected more than ${mostRedirections} times`);
    },
    async close() {
      isClosed = true;
      await agents.destroy();
    },
  };
}

/** A host as settings and addresses of the web may both write it. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/gu, "");
}

/** Where the answer leads, if it is not the last one; its body is not read then. */
function nextHop(hop: OutgoingRequest, answer: OutgoingAnswer): OutgoingRequest | undefined {
  try {
    const next = redirected(hop, answer);
    if (next) answer.body.destroy();
    return next;
  } catch (error) {
    answer.body.destroy();
    throw error;
  }
}

async function sendOnce(agent: Agent, request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> {
  const { url, method, headers, body } = request;
  requireHttp(url);
  try {
    const {
      statusCode,
      headers: answered,
      body: stream,
    } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      signal,
    });
    // Who breaks off reading is told so by the stream as an error, which is none here.
    stream.on("error", () => undefined);
    return {
      status: statusCode,
      headers: definedOf(answered),
      body: unpackedBody(answered["content-encoding"], stream),
    };
  } catch (thrown) {
    throw explainFailure(url.host, thrown);
  }
}

function requireHttp({ protocol }: URL): void {
  if (protocol === "http:" || protocol === "https:") return;
  throw new RequestError(`requests by ${protocol.slice(0, 20)} are not possible; only http: and https: are`);
}

type AnsweredHeaders = Dispatcher.ResponseData["headers"];

function definedOf(headers: AnsweredHeaders): OutgoingAnswer["headers"] {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  );
}
