/** `warn`: works, but not as it should. `fail`: does not work, or will lose something. */
export type FindingState = "ok" | "warn" | "fail";

/** What one check found, for a person who has to act on it. Never holds a secret. */
export interface Finding {
  check: string;
  state: FindingState;
  message: string;
  /** What to do about it. */
  advice?: string;
}

/** All is well. */
export function ok(check: string, message: string): Finding {
  return { check, state: "ok", message };
}

export function warning(check: string, message: string, advice: string): Finding {
  return { check, state: "warn", message, advice };
}

export function failure(check: string, message: string, advice: string): Finding {
  return { check, state: "fail", message, advice };
}

/** The text of an error, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
