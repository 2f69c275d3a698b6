import { Type } from "@sinclair/typebox";
import { TaskError, type Task } from "../core/task.ts";
import { anything, boolean, object, oneOf, optional, text } from "./arguments.ts";
import { asciiToBase64 } from "./base64.ts";
import { defineCallTask, gives, readArguments, refuses } from "./define-task.ts";

const restArguments = {
  uri: text,
  verb: oneOf("DELETE", "GET", "PATCH", "PUT", "POST"),
  user: optional(text),
  password: optional(text),
  headers: optional(object),
  body: optional(anything),
  responseHeaders: optional(boolean),
  options: optional(object),
} as const;

/** A request as a task asks for it. */
export interface RestCall {
  url: URL;
  method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | undefined;
  /** The answer is to hold status and headers beside the body. */
  withHeaders: boolean;
  timeoutMs: number;
  tls: { verify?: boolean; ca?: string };
}

const longestTimeout = 600;
const usualTimeout = 60;
const longestAuthorities = 256 * 1024;

/** The task that makes a request of HTTP (tasks-and-transformations.md §8). The platform makes it, through its guard. */
export const restCallTask: Task = defineCallTask({
  name: "restCall",
  palette: "WorkFlowEngine",
  type: "automatic",
  summary: "Makes a REST call; anything but a status from 200 to 299 is an error.",
  description:
    "user and password: Basic authentication. A body that is no text is sent as JSON; GET has none. The response is the " +
    "parsed body where that is JSON, else text, and Base64 where it is neither. With responseHeaders it is " +
    "{status, headers, body}. An error has the status in IAPerror.code and the answer in IAPerror.raw_response. options: " +
    `timeout (seconds for all of it, ${usualTimeout} unless given, ${longestTimeout} at most), verifyCertificate (true unless given) and ` +
    "ca (certificates of authorities, PEM). Redirections are followed; a POST or PATCH carries an Idempotency-Key that is " +
    "the same when the call is repeated. To another host only accept, content-*, idempotency-key and user-agent go on, so no " +
    "credentials. Where requests may go is a setting of the platform.",
  incoming: restArguments,
  outgoing: ["response", Type.Unknown()],
  examples: [
    gives(["https://inventory.example.net/devices/r1", "GET", "", "", "", "", ""], { name: "r1", vlan: 10 }),
    gives(
      ["https://inventory.example.net/devices", "POST", "admin", "secret", { "x-request": 7 }, { name: "r2" }, true],
      {
        status: 201,
        headers: { location: "/devices/r2", "content-type": "application/json" },
        body: { name: "r2" },
      },
    ),
    {
      arguments: ["https://inventory.example.net/devices/r9", "DELETE", "", "", "", "", false],
      refusal: "answered 404",
    },
    refuses(["inventory/devices", "GET"], "uri is not an address"),
    refuses(["https://inventory.example.net/", "HEAD"], "Schema validation failed on verb"),
  ],
});

/** The request that the arguments of a task ask for. TaskError that names what is wrong; the message holds no secret. */
export function readRestCall(incoming: Readonly<Record<string, unknown>>): RestCall {
  const given = readArguments(restArguments, incoming);
  const url = readUri(given.uri);
  const { body, type } = readBody(given.verb === "GET" ? undefined : given.body);
  const headers = {
    accept: "application/json, text/plain, */*",
    "user-agent": "Linewright",
    ...(type === undefined ? {} : { "content-type": type }),
    ...authorization(url, given.user, given.password),
    ...readHeaders(given.headers ?? {}),
  };
  url.username = "";
  url.password = "";
  const withHeaders = given.responseHeaders === true;
  return { url, method: given.verb, headers, body, withHeaders, ...readOptions(given.options ?? {}) };
}

function readUri(uri: string): URL {
  const trimmed = uri.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (!url) throw new TaskError("uri is not an address; it begins with http:// or https://");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TaskError(`uri begins with ${url.protocol.slice(0, 20)}; only http: and https: are possible`);
  return url;
}

function readBody(body: unknown): { body?: string; type?: string } {
  if (body === undefined) return {};
  if (typeof body !== "string") return { body: JSON.stringify(body), type: "application/json" };
  return { body, type: /^\s*[[{]/u.test(body) ? "application/json" : "text/plain; charset=utf-8" };
}

/** Basic authentication, of UTF-8 bytes (RFC 7617 §2.1). */
function authorization({ username, password }: URL, user?: string, secret?: string): Record<string, string> {
  const name = user ?? unescaped(username);
  if (name === "") return {};
  return { authorization: `Basic ${asciiToBase64(`${name}:${secret ?? unescaped(password)}`)}` };
}

/** A part of an address as it was meant (RFC 3986 §2.1), or as it stands there. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const longestHeader = 16_384;
// The connection's own affair, or the platform's (RFC 9110 §7.6.1).
const reserved =
  /^(?:host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/u;

function readHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([given, value]): [string, string][] => {
    const name = given.toLowerCase();
    if (value === null || value === undefined) return [];
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/u.test(name))
      throw new TaskError(`headers has a name that is none: "${given.slice(0, 100)}"`);
    if (reserved.test(name)) throw new TaskError(`headers may not hold ${name}, which belongs to the connection`);
    return [[name, headerValue(name, value)]];
  });
  return Object.fromEntries(entries);
}

function headerValue(name: string, value: unknown): string {
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  if (!isScalar) throw new TaskError(`headers.${name} is not text`);
  // eslint-disable-next-line no-control-regex -- exactly the characters that would end a header (RFC 9110 §5.5)
  if (/[^\t\u0020-\u007E\u0080-\u00FF]/u.test(String(value)) || String(value).length > longestHeader)
    throw new TaskError(`headers.${name} has characters that are not possible in a header, or too many`);
  return String(value);
}

function readOptions(options: Readonly<Record<string, unknown>>): Pick<RestCall, "timeoutMs" | "tls"> {
  const { timeout = usualTimeout, verifyCertificate, ca, ...unknown } = options;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw new TaskError(`options has no member "${other.slice(0, 100)}"`);
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= longestTimeout))
    throw new TaskError(`options.timeout is not a number of seconds up to ${longestTimeout}`);
  if (verifyCertificate !== undefined && typeof verifyCertificate !== "boolean")
    throw new TaskError("options.verifyCertificate is neither true nor false");
  if (ca !== undefined && !isPem(ca))
    throw new TaskError(`options.ca holds no certificate in PEM, or more than ${longestAuthorities} characters`);
  const tls = {
    ...(verifyCertificate === undefined ? {} : { verify: verifyCertificate }),
    ...(ca === undefined ? {} : { ca }),
  };
  return { timeoutMs: seconds * 1_000, tls };
}

/** Certificates in PEM, not so many that a connection takes long to open. */
function isPem(given: unknown): given is string {
  return (
    typeof given === "string" && given.length <= longestAuthorities && given.includes("-----BEGIN CERTIFICATE-----")
  );
}
