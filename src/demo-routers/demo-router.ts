import { createServer, type Server, type Socket } from "node:net";
import ssh2, { type AuthContext, type Connection, type ServerChannel, type Session } from "ssh2";
import { runSingleCommand, TerminalSession } from "./cli/terminal-session.ts";
import { isSameText } from "./cli/exec-commands.ts";
import type { RouterFaults } from "./router-faults.ts";
import { createRouterState, defaultInterfaces, type RouterInterface, type RouterState } from "./router-state.ts";

export interface DemoRouterOptions {
  /** Host name, shown in the prompt. */
  name: string;
  username: string;
  password: string;
  /** Empty (the default): privileged mode is open to everybody who is logged in. */
  enablePassword?: string;
  host?: string;
  /** 0 (the default): any free port. */
  port?: number;
  /** Private key in OpenSSH or PEM form. Default: a new one. */
  hostKey?: string;
  interfaces?: readonly RouterInterface[];
  /** Log in by keyboard-interactive only, as some devices demand. */
  isKeyboardInteractive?: boolean;
  now?: () => number;
  faults?: RouterFaults;
}

/** A demo router that runs. */
export interface DemoRouter {
  port: number;
  /** Its configuration, for those who want to look without logging in. */
  state: RouterState;
  /** How many logins were tried. */
  loginAttempts(): number;
  /** Cuts every connection; the router goes on. */
  disconnectAll(): void;
  close(): Promise<void>;
}

/** A new host key. Two of a thousand keys that ssh2 makes it cannot read itself. */
function makeHostKey(): string {
  for (;;) {
    const { private: key } = ssh2.utils.generateKeyPairSync("ed25519");
    if (!(ssh2.utils.parseKey(key) instanceof Error)) return key;
  }
}

/** Starts a small router that is reached by SSH: for the demo, for trying out templates, and for tests. */
export async function startDemoRouter(options: DemoRouterOptions): Promise<DemoRouter> {
  const interfaces = options.interfaces ?? defaultInterfaces(1);
  const state = createRouterState(options.name, interfaces, options.now ?? Date.now);
  const sockets = new Set<Socket>();
  const disconnectAll = (): void => sockets.forEach((socket) => socket.destroy());
  let attempts = 0;
  const hostKey = options.hostKey ?? makeHostKey();
  const ssh = new ssh2.Server({ hostKeys: [hostKey], ident: "LinewrightDemoRouter" }, (client) => {
    client.on("error", () => undefined);
    client.on("authentication", (context) => {
      if (context.method !== "none") attempts++;
      authenticate(context, options);
    });
    client.on("session", (accept) => serve(accept(), client, { options, state, disconnectAll }));
  });
  // Sockets are taken in here, because only so Nagle's algorithm can be turned off.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    ssh.injectSocket(socket);
  });
  const port = await listen(server, options);
  return {
    port,
    state,
    loginAttempts: () => attempts,
    disconnectAll,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        disconnectAll();
      }),
  };
}

function listen(server: Server, { host = "127.0.0.1", port = 0 }: DemoRouterOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

function authenticate(
  context: AuthContext,
  { username, password, isKeyboardInteractive = false }: DemoRouterOptions,
): void {
  const decide = (given: string): void => {
    if (isSameText(context.username, username) && isSameText(given, password)) context.accept();
    else context.reject();
  };
  if (context.method === "password" && !isKeyboardInteractive) return decide(context.password);
  if (context.method === "keyboard-interactive" && isKeyboardInteractive) {
    return context.prompt([{ prompt: "Password: ", echo: false }], (answers) => decide(answers[0] ?? ""));
  }
  context.reject([isKeyboardInteractive ? "keyboard-interactive" : "password"]);
}

interface Serving {
  options: DemoRouterOptions;
  state: RouterState;
  disconnectAll(): void;
}

function serve(session: Session, client: Connection, serving: Serving): void {
  let rows = 0;
  session.on("pty", (accept, _reject, terminal) => {
    rows = terminal.rows;
    accept?.();
  });
  session.on("window-change", (accept) => accept?.());
  session.on("shell", (accept) => openTerminal(accept(), client, { ...serving, rows }));
  session.on("exec", (accept, _reject, { command }) => {
    const stream = accept();
    stream.write(runSingleCommand(serving.state, command));
    stream.exit(0);
    stream.end();
  });
}

function openTerminal(stream: ServerChannel, client: Connection, serving: Serving & { rows: number }): void {
  const { options, state, rows, disconnectAll } = serving;
  const faults = options.faults ?? {};
  const write = faults.pieceBytes
    ? writeInPieces(stream, faults.pieceBytes)
    : (text: string) => void stream.write(text);
  stream.on("error", () => undefined);
  const terminal = new TerminalSession({
    state,
    enablePassword: options.enablePassword ?? "",
    pageLines: rows,
    faults,
    write,
    end(which) {
      if (which === "router") return disconnectAll();
      if (which === "cut") return void client.end();
      stream.exit(0);
      stream.end();
    },
  });
  stream.on("data", (data: Buffer) => terminal.feed(data.toString("utf8")));
}

/** Sends a piece per turn of the event loop, so that each travels alone. */
function writeInPieces(stream: ServerChannel, pieceBytes: number): (text: string) => void {
  let waiting = Buffer.alloc(0);
  const next = (): void => {
    if (!stream.writable || waiting.length === 0) return;
    stream.write(waiting.subarray(0, pieceBytes));
    waiting = waiting.subarray(pieceBytes);
    setImmediate(next);
  };
  return (text) => {
    const isIdle = waiting.length === 0;
    waiting = Buffer.concat([waiting, Buffer.from(text)]);
    if (isIdle) setImmediate(next);
  };
}
