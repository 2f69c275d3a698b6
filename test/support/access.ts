import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { host, type Application, type HostedApplication } from "../../src/core/application.ts";
import type { Caller } from "../../src/core/caller.ts";
import type { Clock } from "../../src/core/clock.ts";
import { readPointer } from "../../src/core/json-pointer.ts";
import { createIdentifiers } from "../../src/core/identifiers.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createHttpServer, type HttpServer } from "../../src/http/server.ts";
import {
  authentication,
  createAuthentication,
  type AuthenticationOptions,
  type AuthenticationServices,
} from "../../src/platform-management/authentication/index.ts";
import {
  bootstrapAdmin,
  createPasswordHasher,
  createUserManagement,
  userManagement,
  type PasswordHasher,
  type UserManagementServices,
} from "../../src/platform-management/user-management/index.ts";
import { createSqliteStore, type Store } from "../../src/store/index.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";

/** Password of the account `admin` of every bench. */
export const adminPassword = "the-first-password";

/** argon2id as in production, with as little work as it allows. */
export const cheapHasher: PasswordHasher = createPasswordHasher({ memoryCost: 1024, timeCost: 1, parallelism: 1 });

/** The access applications over a store of their own, with time in the test's hand. */
export interface AccessBench {
  clock: ManualClock;
  store: Store;
  users: UserManagementServices;
  auth: AuthenticationServices;
  server: HttpServer;
  /** Sends a request; `token` goes as Bearer. */
  send(
    method: Method,
    url: string,
    more?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** Logs in and answers the token. */
  login(username: string, password: string): Promise<string>;
  close(): Promise<void>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** Parsed body; undefined when it is not JSON. */
  json: unknown;
  /** The text at a JSON pointer of the body; fails the test when there is none. */
  at(pointer: string): string;
}

export interface BenchOptions {
  hasher?: PasswordHasher;
  /** Hosted beside the access applications. */
  further?: readonly HostedApplication[];
  authentication?: Partial<AuthenticationOptions>;
}

/** Opens a bench with the account `admin` and the roles of its applications. */
export async function openAccessBench(options: BenchOptions = {}): Promise<AccessBench> {
  const folder = mkdtempSync(join(tmpdir(), "linewright-access-"));
  const store = await createSqliteStore({ file: join(folder, "platform.db"), thread: "inline" });
  const clock = createManualClock(Date.UTC(2026, 0, 5, 9));
  const node = await openNode(store, clock, options);
  await bootstrapAdmin(node.users, { password: adminPassword });
  const close = async (): Promise<void> => {
    await node.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...node, close };
}

/** A node over a store; several nodes may share one. */
export async function openNode(store: Store, clock: ManualClock, options: BenchOptions = {}): Promise<AccessBench> {
  const identifiers = createIdentifiers(clock);
  const passwordHasher = options.hasher ?? cheapHasher;
  const users = createUserManagement({ store, clock, identifiers, logger: silentLogger, passwordHasher });
  const auth = createAuthentication({ users, release: "9.9.9", ...options.authentication });
  const applications = [host(authentication, auth), host(userManagement, users), ...(options.further ?? [])];
  await users.roles.generateRoles(applications.map(({ application }) => application));
  const server = await createHttpServer(serverSettings(applications, auth, clock));
  const send: AccessBench["send"] = async (method, url, { token, body, headers = {} } = {}) => {
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const payload = body === undefined ? {} : { payload: body as object };
    const response = await server.inject({ method, url, headers: { ...authorization, ...headers }, ...payload });
    const json = parsed(response.body);
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      json,
      at: (pointer) => textAt(json, pointer),
    };
  };
  return {
    clock,
    store,
    users,
    auth,
    server,
    send,
    login: async (username, password) => (await send("POST", "/login", { body: { username, password } })).text,
    async close() {
      await server.close();
      auth.sessions.stop();
      users.directory.close();
    },
  };
}

function serverSettings(applications: readonly HostedApplication[], auth: AuthenticationServices, clock: Clock) {
  return {
    applications,
    authenticator: auth.authenticator,
    logger: silentLogger,
    clock,
    options: { version: "9.9.9" },
  };
}

/** Password of everybody that `newPerson` creates. */
export const personPassword = "a-long-enough-password";

/** A new account with these roles (`Application:role`), logged in. */
export async function newPerson(
  bench: AccessBench,
  username: string,
  roles: readonly string[] = [],
): Promise<{ id: string; token: string }> {
  const { _id: id } = await bench.users.accounts.create({ username, password: personPassword }, adminCaller);
  const assignedRoles = await Promise.all(roles.map(async (role) => ({ roleId: await roleIdOf(bench, role) })));
  if (roles.length > 0) await bench.users.accounts.update(id, { assignedRoles }, adminCaller);
  return { id, token: await bench.login(username, personPassword) };
}

/** `_id` of the role `Application:role`. */
export async function roleIdOf(bench: AccessBench, role: string): Promise<string> {
  const [provenance = "", name = ""] = role.split(":");
  const [found] = await bench.store.find<{ _id: string }>("roles", { provenance, name });
  if (!found) throw new Error(`there is no role ${role}`);
  return found._id;
}

/** An administrator who calls services directly. */
export const adminCaller: Caller = {
  accountId: "000000000000000000000000",
  username: "admin",
  groupIds: [],
  isAdmin: true,
  isAllowed: () => true,
};

/** The same application with handlers that answer a constant: for tests of access alone. */
export function withoutBehaviour(application: Application): Application {
  return {
    ...application,
    operations: application.operations.map((operation) => ({ ...operation, handle: () => "handled" })),
  };
}

function textAt(json: unknown, pointer: string): string {
  const value = readPointer(json, pointer);
  if (typeof value !== "string") throw new Error(`no text at ${pointer} of ${JSON.stringify(json)}`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
