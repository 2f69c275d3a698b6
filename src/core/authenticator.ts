import type { Caller } from "./caller.ts";

/** Credentials as a request presents them (decision 12). */
export type Credentials =
  | { kind: "token"; token: string; from: "cookie" | "bearer" | "query" }
  | { kind: "basic"; username: string; password: string };

/** Turns credentials into a caller. HTTP asks; the access applications answer. */
export interface Authenticator {
  /**
   * The caller, or undefined when the credentials are wrong, expired or revoked. `address` is the
   * client's network address, by which wrong passwords are counted; TOO_MANY_REQUESTS when there were too many.
   */
  authenticate(credentials: Credentials, address?: string): Promise<Caller | undefined>;
}
