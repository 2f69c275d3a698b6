import type { IncomingHttpHeaders } from "node:http";
import type { Credentials } from "../core/authenticator.ts";

/** Name of the session cookie (spec: platform-management.md §2.1). */
const sessionCookie = "token";

/**
 * The credentials of a request (decision 12). What a client says on purpose wins over the cookie
 * that a browser sends by itself: `Authorization`, then `?token=`, then the cookie.
 */
export function readCredentials(headers: IncomingHttpHeaders, queryToken: string | undefined): Credentials | undefined {
  const fromHeader = parseAuthorization(headers.authorization);
  if (fromHeader) return fromHeader;
  if (queryToken) return { kind: "token", token: queryToken, from: "query" };
  const token = readCookie(headers.cookie, sessionCookie);
  return token ? { kind: "token", token, from: "cookie" } : undefined;
}

/** RFC 6750 §2.1 and RFC 7617 §2; schemes are compared without regard to case. */
function parseAuthorization(header: string | undefined): Credentials | undefined {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+)\s*$/u.exec(header ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return { kind: "token", token: value, from: "bearer" };
  return scheme.toLowerCase() === "basic" ? parseBasic(value) : undefined;
}

function parseBasic(value: string): Credentials {
  const text = Buffer.from(value, "base64").toString("utf8");
  const colonAt = text.indexOf(":");
  const username = colonAt < 0 ? text : text.slice(0, colonAt);
  return { kind: "basic", username, password: colonAt < 0 ? "" : text.slice(colonAt + 1) };
}

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const equalsAt = pair.indexOf("=");
    if (equalsAt > 0 && pair.slice(0, equalsAt).trim() === name) return unquote(pair.slice(equalsAt + 1).trim());
  }
  return undefined;
}

function unquote(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
