import type { OperationRequest } from "../../core/operation.ts";

/** Name of the session cookie: spec `platform-management.md` §2.1. */
const cookieName = "token";

/** Header that hands the token to a browser (RFC 6265): out of reach of scripts, not sent along from other sites. */
export function sessionCookie(token: string, isSecure: boolean): string {
  return `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** Header that makes a browser forget the token. */
export function clearedCookie(isSecure: boolean): string {
  return `${sessionCookie("", isSecure)}; Max-Age=0`;
}

/** The token of the cookie that came with a request. */
export function cookieToken(headers: OperationRequest["headers"]): string | undefined {
  const pairs = String(headers["cookie"] ?? "").split(";");
  const pair = pairs.map((text) => text.trim()).find((text) => text.startsWith(`${cookieName}=`));
  return pair?.slice(cookieName.length + 1) || undefined;
}
