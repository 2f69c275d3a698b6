import type { Application, ErrorStyle } from "../core/application.ts";
import { PlatformError, type ErrorCode } from "../core/errors.ts";

/** An error as it goes out: status, headers and body text. */
export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The codes that tell a client to come again, and after how long, unless the error itself says. */
const retryAfterMs: Partial<Record<ErrorCode, number>> = {
  UNAVAILABLE: 1_000,
  TOO_MANY_REQUESTS: 60_000,
};

/** The challenge of a 401. Basic works too but is not offered: browsers would open their own dialogue. */
const challenge = 'Bearer realm="linewright"';

/**
 * Writes an error in the style of the application it happened in (decision 5); outside of any
 * application the one error body.
 */
export function errorResponse(error: PlatformError, application?: Application): ErrorResponse {
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "x-error-code": error.code,
  };
  if (error.code === "UNAUTHENTICATED") headers["www-authenticate"] = challenge;
  const waitMs = waitOf(error);
  if (waitMs !== undefined) headers["retry-after"] = String(Math.ceil(waitMs / 1000));
  return {
    status: error.status,
    headers,
    body: JSON.stringify(errorBody(error, application?.errorStyle)),
  };
}

function waitOf(error: PlatformError): number | undefined {
  return "retryAfterMs" in error ? Number(error.retryAfterMs) : retryAfterMs[error.code];
}

function errorBody(error: PlatformError, style: ErrorStyle | undefined): unknown {
  if (style === "string") return error.message;
  // JSON forms answer so for a taken name only; what is wrong with a body is still told in full.
  if (style === "status" && error.code === "CONFLICT") return { status: "failure", message: error.message };
  return {
    code: error.code,
    message: error.message,
    data: null,
    metadata: { errors: error.details },
  };
}

/** The error a caller may see for whatever was thrown; undefined for what must stay inside. */
export function asPlatformError(thrown: unknown): PlatformError | undefined {
  if (thrown instanceof PlatformError) return thrown;
  if (!(thrown instanceof Error)) return undefined;
  return storeError(thrown) ?? transportError(thrown);
}

/** Errors of the store are known by name: this layer does not import it. */
function storeError(error: Error): PlatformError | undefined {
  switch (error.name) {
    case "StoreUnavailableError":
      return new PlatformError("UNAVAILABLE", "The database cannot take this at the moment. Try again soon.");
    case "DuplicateKeyError":
      return new PlatformError("CONFLICT", "An object with this identifier or name exists already.");
    case "VersionConflictError":
      return new PlatformError(
        "CONFLICT",
        "The object was changed by somebody else meanwhile. Read it again and repeat.",
      );
    default:
      return undefined;
  }
}

/** Errors of the HTTP framework about the request itself, and of clients that go away while sending. */
function transportError(error: Error & { statusCode?: unknown; code?: unknown }): PlatformError | undefined {
  if (!/^(?:FST_|ECONNRESET$)/u.test(String(error.code))) return undefined;
  switch (error.statusCode) {
    case 400:
      return new PlatformError("BAD_REQUEST", "The request is malformed.");
    case 413:
      return new PlatformError("PAYLOAD_TOO_LARGE", "The body is larger than this server takes.");
    case 415:
      return new PlatformError("UNSUPPORTED_MEDIA_TYPE", "The body must be JSON (application/json) or a form.");
    default:
      return undefined;
  }
}

/** What a caller is told of an error that must stay inside; the log has the rest under the same reference. */
export function internalError(reference: string): PlatformError {
  return new PlatformError("INTERNAL_ERROR", `Something went wrong on the server. Reference: ${reference}`);
}
