import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeConfiguration } from "../../src/configuration.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { startPlatform, type Platform, type PlatformParts } from "../../src/platform.ts";
import { createPasswordHasher } from "../../src/platform-management/user-management/index.ts";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { createCurrentDatabase, type CurrentDatabase } from "./temporary-database.ts";

/** A reply as tests look at it. */
export interface TestReply<T = unknown> {
  status: number;
  body: T;
  headers: Headers;
}

/** A whole platform in this process, spoken to over HTTP. */
export interface TestPlatform {
  platform: Platform;
  dataDir: string;
  /** Address of its PostgreSQL database, where it has one. */
  databaseUrl: string | undefined;
  /** A request as the administrator, or with another token (`null`: none). */
  request<T = unknown>(method: string, path: string, body?: unknown, token?: string | null): Promise<TestReply<T>>;
  /** Like `request`; throws on a status of 400 and above and answers the body. */
  send<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  importWorkflow(workflow: WorkflowDocument): Promise<void>;
  /** Starts one more node on the same data, which PostgreSQL alone allows. It is to be stopped first. */
  beside(parts?: PlatformParts): Promise<TestPlatform>;
  /** Stops it and starts another on the same data. */
  restart(parts?: PlatformParts): Promise<TestPlatform>;
  stop(): Promise<void>;
}

export const adminPassword = "test-password-1";

/** What a platform keeps when it is started again. */
interface TestData {
  dataDir: string;
  database: CurrentDatabase;
  settings: TestSettings;
  /** They belong to another platform, which removes them. */
  isGuest?: true;
}

/** Settings that a test asks for beside the usual ones. */
export type TestSettings = Partial<Pick<NodeConfiguration, "retention" | "workerPool" | "outgoing">>;

/** Starts a platform on a free port, a new data folder and an empty store of the kind that `STORE` names. Passwords are hashed cheaply. */
export async function startTestPlatform(parts: PlatformParts = {}, settings: TestSettings = {}): Promise<TestPlatform> {
  const dataDir = await mkdtemp(join(tmpdir(), "linewright-test-"));
  return startOn({ dataDir, database: await createCurrentDatabase(), settings }, parts);
}

async function startOn(data: TestData, parts: PlatformParts): Promise<TestPlatform> {
  const platform = await startPlatform(
    {
      host: "127.0.0.1",
      port: 0,
      dataDir: data.dataDir,
      databaseUrl: data.database.url,
      adminPassword,
      encryptionKey: undefined,
      trustedProxies: [],
      logLevel: "error",
      ...data.settings,
    },
    silentLogger,
    { passwordHasher: createPasswordHasher(cheapHashing), storeThread: "inline", ...parts },
  );
  return describePlatform(platform, data);
}

const cheapHashing = { memoryCost: 1024, timeCost: 2, parallelism: 1 };

async function describePlatform(platform: Platform, data: TestData): Promise<TestPlatform> {
  const token = await signIn(platform.url, "admin", adminPassword);
  const request = async <T>(
    method: string,
    path: string,
    body?: unknown,
    as: string | null = token,
  ): Promise<TestReply<T>> => {
    const reply = await fetch(new URL(path, platform.url), {
      method,
      headers: {
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: reply.status, body: parse(await reply.text()) as T, headers: reply.headers };
  };
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await request<T>(method, path, body);
    if (reply.status < 400) return reply.body;
    throw new Error(`${method} ${path} ${reply.status}: ${JSON.stringify(reply.body)}`);
  };
  return {
    platform,
    dataDir: data.dataDir,
    databaseUrl: data.database.url,
    request,
    send,
    async importWorkflow(workflow) {
      await send("POST", "/workflow_builder/import", { workflow, options: {} });
    },
    beside: (parts = {}) => startOn({ ...data, isGuest: true }, parts),
    async restart(parts = {}) {
      await platform.stop();
      return startOn(data, parts);
    },
    async stop() {
      await platform.stop();
      if (data.isGuest) return;
      await data.database.remove();
      await rm(data.dataDir, { recursive: true, force: true });
    },
  };
}

/** A session token. */
export async function signIn(url: string, username: string, password: string): Promise<string> {
  const reply = await fetch(new URL("/login", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  if (!reply.ok) throw new Error(`cannot sign in as ${username}: ${reply.status}`);
  return reply.text();
}

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
