/** Where the command line finds a platform, and as whom. */
export interface ServerAddress {
  url: string;
  username: string;
  password: string;
  /** Used instead of username and password when given. */
  token?: string | undefined;
}

/** A command that cannot do what it was asked; `advice` says what to do about it. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.advice = advice;
  }
}

/** A signed-in client of a running platform. */
export interface ApiClient {
  /** Sends a request and returns the parsed reply; CommandError with the platform's own words otherwise. */
  request<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** Signs in and returns a client. */
export async function connect(address: ServerAddress): Promise<ApiClient> {
  const token = address.token ?? (await signIn(address));
  return {
    async request<T>(method: string, path: string, body?: unknown): Promise<T> {
      const reply = await send(address, method, path, { body, token });
      const text = await reply.text();
      if (!reply.ok)
        throw new CommandError(`${method} ${path}: ${messageOf(text, reply.status)}`, adviceFor(reply.status));
      return parseReply(text) as T;
    },
  };
}

async function signIn(address: ServerAddress): Promise<string> {
  const { username, password } = address;
  if (password === "") {
    throw new CommandError("No password given.", "Set LINEWRIGHT_PASSWORD or LINEWRIGHT_TOKEN, or use --password.");
  }
  const reply = await send(address, "POST", "/login", { body: { username, password } });
  const text = await reply.text();
  if (reply.ok) return text;
  throw new CommandError(`Cannot sign in as ${username}: ${messageOf(text, reply.status)}`, adviceFor(reply.status));
}

interface Sent {
  body?: unknown;
  token?: string;
}

async function send({ url }: ServerAddress, method: string, path: string, { body, token }: Sent): Promise<Response> {
  const headers = {
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  try {
    return await fetch(new URL(path, url), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new CommandError(
      `No platform answers at ${url}.`,
      "Start one with `linewright serve`, or name another with --server.",
    );
  }
}

function parseReply(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The message of an error body, whatever style the application has. */
function messageOf(text: string, status: number): string {
  const body = parseReply(text);
  if (typeof body === "string" && body !== "") return body;
  const message = typeof body === "object" && body !== null && "message" in body ? body.message : undefined;
  return typeof message === "string" ? message : `status ${status}`;
}

function adviceFor(status: number): string | undefined {
  if (status === 401) return "Check --user and --password, or LINEWRIGHT_TOKEN.";
  if (status === 403) return "Ask an administrator for a role that allows this operation.";
  if (status === 503) return "The platform is starting, stopping or has lost its store: try again.";
  return undefined;
}
