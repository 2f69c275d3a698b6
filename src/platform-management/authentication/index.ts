import type { Application } from "../../core/application.ts";
import type { AuthenticationServices } from "./authentication-services.ts";
import { identityOperations } from "./identity-operations.ts";
import { loginOperations } from "./login-operations.ts";
import { serviceAccountOperations } from "./service-account-operations.ts";
import { tokenOperations } from "./token-operations.ts";

export { toCaller } from "./authenticator.ts";
export {
  createAuthentication,
  type AuthenticationOptions,
  type AuthenticationServices,
} from "./authentication-services.ts";

/** Who calls: logins, sessions, access tokens, service accounts (decision 12). */
export const authentication: Application<AuthenticationServices> = {
  id: "Authentication",
  name: "Authentication",
  summary: "Signing in and out, access tokens, service accounts, and who the caller is.",
  operations: [...loginOperations, ...tokenOperations, ...identityOperations, ...serviceAccountOperations],
};
