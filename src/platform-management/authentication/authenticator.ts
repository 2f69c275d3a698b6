import type { Authenticator } from "../../core/authenticator.ts";
import type { Caller } from "../../core/caller.ts";
import type { Access, UserManagementServices } from "../user-management/index.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { BasicCredentials } from "./basic-credentials.ts";
import { sessionIdOf, type HeldSession, type SessionStore } from "./session-store.ts";

/** What credentials are checked against. */
export interface AuthenticatorParts {
  users: UserManagementServices;
  sessions: SessionStore;
  accessTokens: AccessTokens;
  basicCredentials: BasicCredentials;
}

/**
 * Turns credentials into callers (decision 12). A session that is in use costs no read of the store;
 * what this node changes about sessions, accounts and roles counts at once, what others change
 * within five seconds.
 */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { users, sessions, accessTokens, basicCredentials } = parts;
  const { directory } = users;
  const sessionCallers = new WeakMap<HeldSession, { access: Access; caller: Caller }>();
  const callers = new WeakMap<Access, Caller>();

  const callerOf = (access: Access): Caller => {
    const caller = callers.get(access) ?? toCaller(access);
    callers.set(access, caller);
    return caller;
  };
  const callerOfSession = (session: HeldSession, access: Access): Caller => {
    const held = sessionCallers.get(session);
    if (held?.access === access) return held.caller;
    const caller = { ...toCaller(access), sessionId: session.document._id };
    sessionCallers.set(session, { access, caller });
    return caller;
  };
  const bySession = async (token: string): Promise<Caller | undefined> => {
    const sessionId = sessionIdOf(token);
    const session = sessions.peek(sessionId) ?? (await sessions.read(sessionId));
    if (!session) return undefined;
    const { accountId } = session.document;
    const access = directory.peek(accountId) ?? (await directory.accessOf(accountId));
    return access && sessions.use(session) ? callerOfSession(session, access) : undefined;
  };
  const byAccessToken = async (token: string): Promise<Caller | undefined> => {
    const claims = await accessTokens.verify(token);
    if (!claims) return undefined;
    const credentials = await directory.credentialsOf(claims.accountId);
    if (credentials?.version !== claims.credentialsVersion) return undefined;
    const access = await directory.accessOf(claims.accountId);
    return access && callerOf(access);
  };
  const byPassword = async (username: string, password: string, address: string): Promise<Caller | undefined> => {
    const accountId = await basicCredentials.check(username, password, address);
    const access = accountId === undefined ? undefined : await directory.accessOf(accountId);
    return access && callerOf(access);
  };

  return {
    authenticate(credentials, address = "") {
      if (credentials.kind === "basic") return byPassword(credentials.username, credentials.password, address);
      // The parts of a JWT are joined by dots; session tokens have none.
      return credentials.token.includes(".") ? byAccessToken(credentials.token) : bySession(credentials.token);
    },
  };
}

/** The caller an account with this access is. */
export function toCaller({ account, groups, isAdmin, isAllowed }: Access): Caller {
  return {
    accountId: account._id,
    username: account.username,
    groupIds: groups.map(({ _id }) => _id),
    isAdmin,
    isAllowed,
  };
}
