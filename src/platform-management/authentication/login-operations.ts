import { Type } from "@sinclair/typebox";
import { isPageWanted } from "../../core/html.ts";
import { operationOf, Reply, type OperationRequest } from "../../core/operation.ts";
import type { AuthenticationServices } from "./authentication-services.ts";
import { loginPage } from "./login-page.ts";
import { clearedCookie, cookieToken, sessionCookie } from "./session-cookie.ts";

const operation = operationOf<AuthenticationServices>();

const NameAndPassword = Type.Object({
  username: Type.String({ maxLength: 256 }),
  password: Type.String({ maxLength: 1024 }),
});

const LogoutReply = Type.Object({ status: Type.String(), message: Type.String() });

/** Tokens are never kept by caches in between (RFC 6749 §5.1). */
export const notStored = { "cache-control": "no-store" };

const logout = {
  roles: "authenticated",
  response: LogoutReply,
  async handle({ logins }: AuthenticationServices, { caller, headers, isSecure = false }: OperationRequest) {
    if (caller.sessionId !== undefined) await logins.logout(caller.accountId, caller.sessionId);
    const body = { status: "OK", message: "Logged out." };
    const cleared = { "set-cookie": clearedCookie(isSecure) };
    return isPageWanted(headers)
      ? new Reply(body, { status: 303, headers: { ...cleared, location: "/login" } })
      : new Reply(body, { headers: cleared });
  },
} as const;

/** Signing in and out: spec `platform-management.md` §2.2, §2.5. */
export const loginOperations = [
  operation({
    name: "login",
    method: "POST",
    path: "/login",
    summary: "Sign in with name and password; answers the session token as bare text and as a cookie.",
    description: "A page form is sent on to the start page. 401 for wrong credentials, 429 after too many wrong tries.",
    roles: "public",
    body: Type.Union([NameAndPassword, Type.Object({ user: NameAndPassword })]),
    response: Type.String(),
    responseType: "text/plain",
    async handle({ logins }, { body, headers, address = "", isSecure = false }) {
      const { username, password } = "user" in body ? body.user : body;
      const token = await logins.login({ username, password, address, previousToken: cookieToken(headers) });
      const replyHeaders = { ...notStored, "set-cookie": sessionCookie(token, isSecure) };
      return isPageWanted(headers)
        ? new Reply("", { status: 303, headers: { ...replyHeaders, location: "/" } })
        : new Reply(token, { headers: replyHeaders });
    },
  }),
  operation({
    name: "getLoginPage",
    method: "GET",
    path: "/login",
    summary: "The sign-in page.",
    roles: "public",
    response: Type.String(),
    responseType: "text/html",
    handle: () => loginPage,
  }),
  operation({
    ...logout,
    name: "logout",
    method: "POST",
    path: "/logout",
    summary: "End the session the request came with.",
  }),
  operation({
    ...logout,
    name: "getLogout",
    method: "GET",
    path: "/logout",
    summary: "End the session the request came with.",
  }),
];
