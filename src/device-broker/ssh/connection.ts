import { connect as connectSocket, type Socket } from "node:net";
import { StringDecoder } from "node:string_decoder";
import ssh2, { type AuthHandlerMiddleware, type Client, type ClientChannel, type ConnectConfig } from "ssh2";
import type { Clock } from "../../core/clock.ts";
import type { ShellChannel } from "./shell.ts";

/** Where and as whom to log in. Credentials live only as long as the login takes. */
export interface ConnectionTarget {
  host: string;
  port: number;
  username: string;
  password: string;
  /** Also offer the algorithms of old devices: SHA-1 key exchange, CBC ciphers, `ssh-rsa`. */
  hasLegacyAlgorithms: boolean;
}

export interface ConnectionSettings {
  clock: Clock;
  connectTimeoutMs: number;
  /** For key exchange and authentication together. */
  loginTimeoutMs: number;
  keepAliveMs: number;
  /** Accepts or refuses the device's key; a refusal's text is what the caller is told. */
  verifyHostKey(key: Buffer): Promise<{ isAccepted: true } | { isAccepted: false; reason: string }>;
}

/** Why a device could not be logged in to. */
export type ConnectionFailure = "unreachable" | "timeout" | "rejected" | "hostKey" | "protocol";

export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly failure: ConnectionFailure;

  constructor(failure: ConnectionFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

const legacyAlgorithms: NonNullable<ConnectConfig["algorithms"]> = {
  kex: {
    append: ["diffie-hellman-group14-sha1", "diffie-hellman-group-exchange-sha1", "diffie-hellman-group1-sha1"],
    prepend: [],
    remove: [],
  },
  cipher: { append: ["aes256-cbc", "aes192-cbc", "aes128-cbc", "3des-cbc"], prepend: [], remove: [] },
  hmac: { append: ["hmac-sha1", "hmac-sha1-96", "hmac-md5"], prepend: [], remove: [] },
  serverHostKey: { append: ["ssh-rsa", "ssh-dss"], prepend: [], remove: [] },
};

/** Wide and high, so that devices neither wrap nor page more than they must. */
const terminal = { term: "vt100", cols: 511, rows: 1000 } as const;

/** Logs in and opens a terminal. Tries each kind of password login the device offers at most once, and stops at the first refusal. */
export async function openChannel(target: ConnectionTarget, settings: ConnectionSettings): Promise<ShellChannel> {
  const socket = await openSocket(target, settings);
  const client = new ssh2.Client();
  try {
    await logIn(client, socket, { target, settings });
    return await openTerminal(client, socket);
  } catch (error) {
    client.on("error", () => undefined);
    client.destroy();
    socket.destroy();
    throw error;
  }
}

function openSocket(
  { host, port }: ConnectionTarget,
  { clock, connectTimeoutMs }: ConnectionSettings,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port });
    // Without this a kept shell answers 68 commands a second instead of thousands.
    socket.setNoDelay(true);
    const stopTimeout = clock.after(connectTimeoutMs, () => {
      socket.destroy();
      reject(new ConnectionError("timeout", `no connection within ${connectTimeoutMs} ms`));
    });
    socket.once("connect", () => {
      stopTimeout();
      socket.removeAllListeners("error");
      resolve(socket);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      stopTimeout();
      reject(new ConnectionError("unreachable", `the connection failed (${error.code ?? "unknown reason"})`));
    });
  });
}

function logIn(
  client: Client,
  socket: Socket,
  { target, settings }: { target: ConnectionTarget; settings: ConnectionSettings },
) {
  return new Promise<void>((resolve, reject) => {
    let refusal: string | undefined;
    const fail = (error: ConnectionError): void => {
      stopTimeout();
      reject(error);
    };
    const { loginTimeoutMs } = settings;
    const stopTimeout = settings.clock.after(loginTimeoutMs, () =>
      fail(new ConnectionError("timeout", `no login within ${loginTimeoutMs} ms`)),
    );
    client.once("ready", () => {
      stopTimeout();
      client.removeAllListeners("error").removeAllListeners("close");
      resolve();
    });
    client.once("error", (error: Error & { level?: string }) => fail(loginError(error, refusal)));
    client.once("close", () =>
      fail(new ConnectionError("protocol", refusal ?? "the device closed the connection during login")),
    );
    client.connect({
      sock: socket,
      username: target.username,
      authHandler: passwordOnce(target),
      readyTimeout: 0,
      keepaliveInterval: settings.keepAliveMs,
      keepaliveCountMax: 3,
      ...(target.hasLegacyAlgorithms ? { algorithms: legacyAlgorithms } : {}),
      hostVerifier: (key: Buffer, verify: (isValid: boolean) => void) => {
        settings.verifyHostKey(key).then(
          (verdict) => {
            if (!verdict.isAccepted) refusal = verdict.reason;
            verify(verdict.isAccepted);
          },
          () => verify(false),
        );
      },
    });
  });
}

function loginError(error: Error & { level?: string }, refusal: string | undefined): ConnectionError {
  if (refusal !== undefined) return new ConnectionError("hostKey", refusal);
  if (error.level === "client-authentication")
    return new ConnectionError("rejected", "the user name or password was rejected");
  if (error.level === "handshake") return new ConnectionError("protocol", `the SSH handshake failed: ${error.message}`);
  return new ConnectionError("protocol", "the connection broke during login");
}

/** Asks which ways there are, then presents the password once by the first that fits. */
function passwordOnce({ username, password }: ConnectionTarget): AuthHandlerMiddleware {
  let step: "ask" | "present" | "stop" = "ask";
  // `false` ends the login; the published type leaves it out.
  const stop = false as unknown as "none";
  return (offered, _isPartial, next) => {
    const current = step;
    step = current === "ask" ? "present" : "stop";
    if (current === "ask") return next({ type: "none", username });
    if (current === "stop") return next(stop);
    if (offered.includes("password")) return next({ type: "password", username, password });
    if (!offered.includes("keyboard-interactive")) return next(stop);
    next({
      type: "keyboard-interactive",
      username,
      // Name, instructions, language; then the questions, and where the answers go.
      prompt: (...[, , , prompts, finish]) => finish(prompts.map(() => password)),
    });
  };
}

function openTerminal(client: Client, socket: Socket): Promise<ShellChannel> {
  return new Promise((resolve, reject) => {
    client.once("error", () =>
      reject(new ConnectionError("protocol", "the connection broke before a terminal was open")),
    );
    client.once("close", () =>
      reject(new ConnectionError("protocol", "the device closed the connection before a terminal was open")),
    );
    client.shell(terminal, (error, stream) => {
      if (error) return reject(new ConnectionError("protocol", `the device opens no terminal: ${error.message}`));
      resolve(channelOf(client, socket, stream));
    });
  });
}

function channelOf(client: Client, socket: Socket, stream: ClientChannel): ShellChannel {
  const decoder = new StringDecoder("utf8");
  let isClosed = false;
  let tellClosed = (): void => undefined;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    client.destroy();
    socket.destroy();
    tellClosed();
  };
  client.removeAllListeners("error").removeAllListeners("close");
  client.on("error", close).on("close", close);
  stream.on("close", close).on("error", close);
  return {
    write: (text) => void (isClosed || stream.write(text)),
    onData(listener) {
      const pass = (data: Buffer): void => listener(decoder.write(data));
      stream.on("data", pass);
      stream.stderr.on("data", pass);
    },
    onClose(listener) {
      tellClosed = listener;
      if (isClosed) listener();
    },
    close,
  };
}
