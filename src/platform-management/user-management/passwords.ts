import { badRequest } from "../../core/errors.ts";
import type { AccessContext } from "./access-context.ts";
import type { Account, CredentialsDocument } from "./account-schema.ts";
import type { LoginThrottle } from "./login-throttle.ts";

/** Shortest password of a new or changed account: `test-programme.md` S11. */
const shortestPassword = 12;
/** Shortest password that an operator may give the first administrator by configuration. */
export const shortestBootstrapPassword = 8;
const longestPassword = 1024;

/** An account whose password was right, and the version of the credentials it was checked against. */
export interface CheckedAccount {
  account: Account;
  credentialsVersion: number;
}

export interface Passwords {
  /** Undefined for an unknown or inactive account as for a wrong password, after the same work. Throws LoginThrottledError. */
  check(username: string, password: string, address: string): Promise<CheckedAccount | undefined>;
  /** Hash of a new password. 400 when the rules refuse it; `at` is the pointer of the password. */
  hashNew(password: string, username: string, at: string, shortest?: number): Promise<string>;
}

/** Checks and makes passwords of accounts. */
export function createPasswords(
  context: Pick<AccessContext, "store" | "identifiers" | "passwordHasher">,
  throttle: LoginThrottle,
): Passwords {
  const { store, passwordHasher } = context;
  // Made at once, so that the first unknown name does not take longer than the next.
  const unknownAccountHash = passwordHasher.hash(context.identifiers.secret());
  unknownAccountHash.catch(() => undefined);

  const checkOnce = async (username: string, password: string): Promise<CheckedAccount | undefined> => {
    const account = (await store.readBy<Account>("accounts", "username", username))?.document;
    const credentials = await store.read<CredentialsDocument>("credentials", account?._id ?? "");
    const passwordHash = credentials?.document.passwordHash ?? (await unknownAccountHash);
    const isRight = await passwordHasher.verify(passwordHash, password);
    const isUsable = account !== undefined && !account.inactive && credentials?.document.passwordHash !== undefined;
    return isRight && isUsable ? { account, credentialsVersion: credentials.version } : undefined;
  };

  return {
    check: (username, password, address) => throttle.attempt(username, address, () => checkOnce(username, password)),
    async hashNew(password, username, at, shortest = shortestPassword) {
      const message = refusal(password, username, shortest);
      if (message) throw badRequest(`The password ${message}.`, [{ path: at, message }]);
      return passwordHasher.hash(password);
    },
  };
}

function refusal(password: string, username: string, shortest: number): string | undefined {
  if (password.length < shortest) return `must have at least ${shortest} characters`;
  if (password.length > longestPassword) return `must have at most ${longestPassword} characters`;
  if (password.toLowerCase() === username.toLowerCase()) return "must not be the user name";
  return new Set(password).size < 3 ? "must not repeat the same one or two characters" : undefined;
}
