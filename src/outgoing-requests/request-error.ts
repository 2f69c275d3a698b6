/** A request that got no answer that can be used; the message is for people and names no secret. */
export class RequestError extends Error {
  override readonly name = "RequestError";
}

/** Errors of connections by their code. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was broken off",
  EPIPE: "the connection was broken off",
  UND_ERR_SOCKET: "the connection was broken off",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no way to the network",
  ENOTFOUND: "the name is not known",
  EAI_AGAIN: "the name cannot be resolved at the moment",
  ETIMEDOUT: "no connection in time",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped in the middle",
  UND_ERR_HEADERS_OVERFLOW: "the head of the answer is too long",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate comes from an authority that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate comes from an authority that is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate comes from an authority that is not trusted",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

/** What went wrong with a request to a host, from whatever was thrown. */
export function explainFailure(host: string, thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  const code = codeOf(thrown);
  if (isTimeout(thrown)) return new RequestError(`${host}: no whole answer in time`);
  if (/^Z_|^ERR_(?:_ERROR|BROTLI)/u.test(code))
    return new RequestError(`${host}: the answer is not packed as it says (${code})`);
  if (/^HPE_|^UND_ERR_RES/u.test(code)) return new RequestError(`${host}: the answer is not HTTP`);
  if (/SSL|TLS/u.test(code) && !Object.hasOwn(reasons, code))
    return new RequestError(`${host}: no TLS connection (${code})`);
  return new RequestError(`${host}: ${reasons[code] ?? "the request failed"}${code === "" ? "" : ` (${code})`}`);
}

function isTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === "TimeoutError" || thrown.name === "AbortError");
}

/** Of the first of several causes: a name may have many addresses. */
function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return codeOf(thrown.errors[0]);
  const { code, cause } = Object(thrown) as { code?: unknown; cause?: unknown };
  if (typeof code === "string") return code;
  return cause === undefined ? "" : codeOf(cause);
}
