import { RequestError } from "./request-error.ts";
import type { OutgoingAnswer, OutgoingRequest } from "./outgoing-requests.ts";

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The request that a redirection asks for (RFC 9110 §15.4); undefined when the answer is none. */
export function redirected(
  request: OutgoingRequest,
  { status, headers }: Pick<OutgoingAnswer, "status" | "headers">,
): OutgoingRequest | undefined {
  const location = headers["location"];
  if (!statuses.has(status) || typeof location !== "string") return undefined;
  if (!URL.canParse(location, request.url.href))
    throw new RequestError(`${request.url.host}: redirected to no address`);
  const url = new URL(location, request.url);
  const next = becomesGet(request, status)
    ? { ...request, method: "GET" as const, body: undefined, headers: only(request, (name) => !ofBody.test(name)) }
    : request;
  const isElsewhere = url.origin !== request.url.origin;
  return { ...next, url, headers: isElsewhere ? only(next, (name) => forAnyone.test(name)) : next.headers };
}

/** By RFC 9110 §15.4.2 to 15.4.4 as browsers read it: a DELETE that was moved stays one. */
function becomesGet({ method }: OutgoingRequest, status: number): boolean {
  return status === 303 ? method !== "GET" : method === "POST" && (status === 301 || status === 302);
}

const ofBody = /^content-/u;
// Any other header may be a credential that was meant for the first host, whatever its name.
const forAnyone = /^(?:accept|accept-language|content-.*|idempotency-key|user-agent)$/u;

function only({ headers }: OutgoingRequest, isWanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isWanted(name.toLowerCase())));
}
