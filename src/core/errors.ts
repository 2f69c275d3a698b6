/**
 * Every error code of the platform and the HTTP status it is answered with.
 * The list is closed: a new kind of failure is a new line here, and the reference page follows.
 */
export const errorStatuses = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  BAD_GATEWAY: 502,
  UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** One offending place of a request: a JSON pointer that begins with its part (`/body/name`) and what is wrong there. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/**
 * The only error that carries a message to a caller. Everything else that is thrown is answered as
 * INTERNAL_ERROR with a neutral text, so that no stack, SQL or path of the server leaves.
 */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];

  constructor(code: ErrorCode, message: string, details: readonly ErrorDetail[] = []) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorStatuses[this.code];
  }
}

/** 404: the object does not exist, or the caller may not see it (decision 14). */
export function notFound(message: string): PlatformError {
  return new PlatformError("NOT_FOUND", message);
}

/** 409: a unique name is taken, or the object is in a state that forbids the operation. */
export function conflict(message: string): PlatformError {
  return new PlatformError("CONFLICT", message);
}

/** 400 with every offending place named. */
export function badRequest(message: string, details: readonly ErrorDetail[] = []): PlatformError {
  return new PlatformError("BAD_REQUEST", message, details);
}
