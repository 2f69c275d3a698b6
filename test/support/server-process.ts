import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { createCurrentDatabase, type CurrentDatabase } from "./temporary-database.ts";

/** A server in a process of its own, as users run it. */
export interface ServerProcess {
  url: string;
  token: string;
  dataDir: string;
  /** Milliseconds from the start of the process to the first answer of the API. */
  coldStartMs: number;
  pid: number;
  /** Resident memory in megabytes. */
  residentMb(): Promise<number>;
  /** Processor time used so far, all threads, in milliseconds. */
  cpuMs(): Promise<number>;
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Kills the process with SIGKILL and resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  restart(): Promise<ServerProcess>;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  dataDir?: string;
  /** A PostgreSQL database of the caller. Default: a new one of the kind of store that `STORE` names. */
  databaseUrl?: string;
  port?: number;
  environment?: Record<string, string>;
}

/** Password of the account `admin` of these servers. */
export const serverPassword = "bench-password-1";

/** Starts `linewright serve` from the built code on a free port, a new data folder and an empty store. */
export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const { databaseUrl, port = 0, environment = {} } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "linewright-")));
  const database =
    databaseUrl === undefined ? await createCurrentDatabase() : { url: databaseUrl, remove: async () => undefined };
  return startOn({ dataDir, database, environment }, port);
}

/** What a server keeps when it is started again. */
interface ServerData {
  dataDir: string;
  database: CurrentDatabase;
  environment: Record<string, string>;
}

async function startOn(data: ServerData, port: number): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["dist/main.js", "serve"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      LINEWRIGHT_PORT: String(port),
      LINEWRIGHT_DATA_DIR: data.dataDir,
      ...(data.database.url === undefined ? {} : { LINEWRIGHT_DATABASE_URL: data.database.url }),
      LINEWRIGHT_ADMIN_PASSWORD: serverPassword,
      LINEWRIGHT_LOG_LEVEL: "warn",
      ...data.environment,
    },
  });
  const url = await readUrl(child);
  const answer = await fetch(new URL("/health/status", url));
  await answer.arrayBuffer();
  const coldStartMs = Math.round(performance.now() - startedAt);
  return describeProcess({ child, url, data, coldStartMs, token: await signIn(url) });
}

interface Parts {
  child: ChildProcess;
  url: string;
  data: ServerData;
  coldStartMs: number;
  token: string;
}

function describeProcess({ child, url, data, coldStartMs, token }: Parts): ServerProcess {
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  };
  return {
    url,
    token,
    dataDir: data.dataDir,
    coldStartMs,
    pid: child.pid ?? 0,
    residentMb: () => residentMb(child.pid ?? 0),
    cpuMs: () => cpuMs(child.pid ?? 0),
    async request(method, path, body) {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      const reply = await fetch(new URL(path, url), {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${method} ${path} ${reply.status}: ${text.slice(0, 500)}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    kill: () => end("SIGKILL"),
    restart: () => startOn(data, Number(new URL(url).port)),
    async stop() {
      await end("SIGTERM");
      await data.database.remove();
      await rm(data.dataDir, { recursive: true, force: true });
    },
  };
}

async function readUrl(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (!stdout) throw new Error("the server has no output");
  let text = "";
  for await (const chunk of stdout) {
    text += String(chunk);
    // Colours of a terminal may surround the address.
    const match = /http:\/\/[\d.]+:\d+/u.exec(text);
    if (match) {
      stdout.resume();
      return match[0];
    }
  }
  throw new Error(`the server ended before it served: ${text}`);
}

/** Signs in at a server; answers the token of the new session. */
export async function signIn(url: string, account = { username: "admin", password: serverPassword }): Promise<string> {
  const reply = await fetch(new URL("/login", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  if (!reply.ok) throw new Error(`cannot sign in: ${reply.status} ${await reply.text()}`);
  return reply.text();
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024);
}

// Linux counts processor time in hundredths of a second.
const msPerTick = 10;

async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name may hold blanks: fields are counted from the parenthesis that closes it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
