import type { Authenticator } from "../../core/authenticator.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { UserManagementServices } from "../user-management/index.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createAuthenticator } from "./authenticator.ts";
import { createBasicCredentials } from "./basic-credentials.ts";
import { LoginService, type LoginOptions } from "./login-service.ts";
import { ServiceAccountService } from "./service-account-service.ts";
import { SessionStore } from "./session-store.ts";

/** What authentication is made from: accounts and roles, and a few settings. */
export interface AuthenticationOptions extends LoginOptions {
  users: UserManagementServices;
  /** Version of the platform, as `GET /version` answers it. */
  release: string;
  /** Signs access tokens; at least 32 bytes. Default: a random key kept in the store. */
  tokenSigningKey?: Uint8Array;
  /** Encrypts the key kept in the store (decision 21). */
  secretBox?: SecretBox;
}

/** Logins, sessions, access tokens and service accounts. */
export interface AuthenticationServices {
  users: UserManagementServices;
  release: string;
  sessions: SessionStore;
  logins: LoginService;
  serviceAccounts: ServiceAccountService;
  /** What the HTTP layer asks who calls. */
  authenticator: Authenticator;
}

/** Wires the services of authentication. `sessions.start()` begins to remove sessions that are over, `sessions.stop()` ends that. */
export function createAuthentication(options: AuthenticationOptions): AuthenticationServices {
  const { users, release, tokenSigningKey, secretBox } = options;
  const sessions = new SessionStore(users);
  const accessTokens = createAccessTokens({
    store: users.store,
    clock: users.clock,
    identifiers: users.identifiers,
    ...(tokenSigningKey ? { signingKey: tokenSigningKey } : {}),
    ...(secretBox ? { secretBox } : {}),
  });
  const basicCredentials = createBasicCredentials(users, users.clock);
  return {
    users,
    release,
    sessions,
    logins: new LoginService(users, sessions, options),
    serviceAccounts: new ServiceAccountService(users, accessTokens),
    authenticator: createAuthenticator({ users, sessions, accessTokens, basicCredentials }),
  };
}
