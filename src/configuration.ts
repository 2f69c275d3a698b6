import { join } from "node:path";
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { logLevels, type LogLevel } from "./core/logger.ts";
import { defaultDeniedNetworks, isNetwork } from "./outgoing-requests/index.ts";
import { defaultLargestValue, largestResult } from "./core/result-size.ts";

const mebi = 1024 * 1024;

/** The worker processes for heavy tasks, where no setting says otherwise. */
export const defaultWorkerPool = { workers: 2, deadlineMs: 10_000, memoryMb: 256 } as const;

/** Where requests of workflows may go, where no setting says otherwise. */
export const defaultOutgoing: OutgoingSettings = { deny: defaultDeniedNetworks, allow: [], unverifiedHosts: [] };

/** Settings of a node, each an environment variable (decision 23). */
const Configuration = Type.Object({
  LINEWRIGHT_HOST: Type.String({ default: "127.0.0.1", minLength: 1, description: "Address to listen on." }),
  LINEWRIGHT_PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65_535,
    description: "Port; 0 takes a free one.",
  }),
  LINEWRIGHT_DATA_DIR: Type.String({
    default: "./data",
    minLength: 1,
    description: "Folder of the embedded store and its keys.",
  }),
  LINEWRIGHT_DATABASE_URL: Type.Optional(
    Type.String({
      pattern: "^postgres(?:ql)?://",
      description:
        "PostgreSQL (15 or newer) to use instead of the embedded store: postgres://user:password@host:port/database.",
    }),
  ),
  LINEWRIGHT_ADMIN_PASSWORD: Type.Optional(
    Type.String({ description: "Password of the account admin, made at the first start." }),
  ),
  LINEWRIGHT_ENCRYPTION_KEY: Type.Optional(
    Type.String({
      description: "32 bytes in hex or base64 that encrypt secrets at rest; made in the data folder when unset.",
    }),
  ),
  LINEWRIGHT_TRUSTED_PROXIES: Type.Optional(
    Type.String({
      pattern: String.raw`^[\da-fA-F.:/]+(?:\s*,\s*[\da-fA-F.:/]+)*$`,
      description:
        "Addresses or networks of proxies whose X-Forwarded-* headers are believed, separated by commas: 10.0.0.0/8, ::1.",
    }),
  ),
  LINEWRIGHT_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description:
        "Days that finished jobs are kept: then they are archived and deleted. Unset: they are kept for ever. The same on all nodes.",
    }),
  ),
  LINEWRIGHT_ARCHIVE_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        "Folder of the archive of jobs; `archive` in the data folder when unset. `none`: old jobs are deleted without.",
    }),
  ),
  LINEWRIGHT_LARGEST_VALUE_MIB: Type.Integer({
    default: defaultLargestValue / mebi,
    minimum: largestResult / mebi,
    maximum: 65_536,
    description:
      "Largest value that a task may stream into the store, in mebi characters of JSON. More is an error of the task.",
  }),
  LINEWRIGHT_TASK_WORKERS: Type.Integer({
    default: defaultWorkerPool.workers,
    minimum: 1,
    maximum: 64,
    description:
      "Processes for tasks that take too long for the event loop: hard patterns, large transformations. Started when needed.",
  }),
  LINEWRIGHT_TASK_DEADLINE_MS: Type.Integer({
    default: defaultWorkerPool.deadlineMs,
    minimum: 100,
    maximum: 600_000,
    description: "Longest time that such a task may take, in milliseconds. Then it ends in error.",
  }),
  LINEWRIGHT_TASK_MEMORY_MB: Type.Integer({
    default: defaultWorkerPool.memoryMb,
    minimum: 64,
    maximum: 16_384,
    description: "Most memory that such a task may take, in megabytes. Then it ends in error.",
  }),
  LINEWRIGHT_OUTGOING_DENY: Type.Optional(
    Type.String({
      description:
        "Networks and addresses that requests of workflows never go to, separated by commas. Unset: link-local addresses and those where clouds hand out credentials. `none`: no such rule.",
    }),
  ),
  LINEWRIGHT_OUTGOING_ALLOW: Type.Optional(
    Type.String({
      description:
        "Networks and addresses that requests of workflows may go to, separated by commas: 10.0.0.0/8, 127.0.0.1. Unset: all that are not denied.",
    }),
  ),
  LINEWRIGHT_OUTGOING_UNVERIFIED: Type.Optional(
    Type.String({
      description:
        "Names and addresses of hosts whose TLS certificates are not verified when workflows make requests to them, separated by commas.",
    }),
  ),
  LINEWRIGHT_LOG_LEVEL: Type.Union(
    logLevels.map((level) => Type.Literal(level)),
    { default: "info", description: "Least severe level that is logged." },
  ),
});

/** Names of the environment variables that are settings. */
export const settingNames: readonly string[] = Object.keys(Configuration.properties);

/** The configuration of a node. */
export interface NodeConfiguration {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | undefined;
  adminPassword: string | undefined;
  encryptionKey: string | undefined;
  trustedProxies: readonly string[];
  /** How long finished jobs are kept; absent: for ever. `archiveDir` undefined: no archive. */
  retention?: { days: number; archiveDir: string | undefined } | undefined;
  /** Characters of JSON text that a value kept in the store may have; absent: 1 GiB. */
  largestValue?: number | undefined;
  /** The worker processes for heavy tasks; absent: `defaultWorkerPool`. */
  workerPool?: { workers: number; deadlineMs: number; memoryMb: number } | undefined;
  /** Where requests of workflows may go; absent: `defaultOutgoing`. */
  outgoing?: OutgoingSettings | undefined;
  logLevel: LogLevel;
}

/** Rules for requests of workflows. */
export interface OutgoingSettings {
  deny: readonly string[];
  allow: readonly string[];
  unverifiedHosts: readonly string[];
}

/** A setting that cannot be used, named for the person who set it. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the configuration from environment variables. Throws ConfigurationError naming each wrong one. */
export function readConfiguration(environment: Environment): NodeConfiguration {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, text]) => name in Configuration.properties && text !== ""),
  );
  const value: unknown = Value.Convert(Configuration, Value.Default(Configuration, given));
  const problems = [...Value.Errors(Configuration, value)];
  if (problems.length > 0) {
    throw new ConfigurationError(problems.map(({ path, message }) => `${path.slice(1)}: ${message}`).join("; "));
  }
  return nodeConfiguration(value as Static<typeof Configuration>);
}

function nodeConfiguration(value: Static<typeof Configuration>): NodeConfiguration {
  return {
    host: value.LINEWRIGHT_HOST,
    port: value.LINEWRIGHT_PORT,
    dataDir: value.LINEWRIGHT_DATA_DIR,
    databaseUrl: value.LINEWRIGHT_DATABASE_URL,
    adminPassword: value.LINEWRIGHT_ADMIN_PASSWORD,
    encryptionKey: value.LINEWRIGHT_ENCRYPTION_KEY,
    trustedProxies: value.LINEWRIGHT_TRUSTED_PROXIES?.split(/\s*,\s*/u) ?? [],
    retention: retentionOf(value),
    largestValue: value.LINEWRIGHT_LARGEST_VALUE_MIB * mebi,
    outgoing: outgoingOf(value),
    workerPool: {
      workers: value.LINEWRIGHT_TASK_WORKERS,
      deadlineMs: value.LINEWRIGHT_TASK_DEADLINE_MS,
      memoryMb: value.LINEWRIGHT_TASK_MEMORY_MB,
    },
    logLevel: value.LINEWRIGHT_LOG_LEVEL,
  };
}

function retentionOf(value: Static<typeof Configuration>): NodeConfiguration["retention"] {
  const { LINEWRIGHT_RETENTION_DAYS: days, LINEWRIGHT_ARCHIVE_DIR: folder } = value;
  if (days === undefined) return undefined;
  return { days, archiveDir: folder === "none" ? undefined : (folder ?? join(value.LINEWRIGHT_DATA_DIR, "archive")) };
}

function outgoingOf(value: Static<typeof Configuration>): OutgoingSettings {
  const { LINEWRIGHT_OUTGOING_DENY: deny, LINEWRIGHT_OUTGOING_ALLOW: allow } = value;
  return {
    deny: deny === undefined ? defaultOutgoing.deny : deniedNetworks(deny),
    // `none` is no network here: it would open what it seems to close.
    allow: allow === undefined ? defaultOutgoing.allow : networksOf("LINEWRIGHT_OUTGOING_ALLOW", allow),
    unverifiedHosts: listOf(value.LINEWRIGHT_OUTGOING_UNVERIFIED ?? ""),
  };
}

function deniedNetworks(text: string): string[] {
  return text.trim() === "none" ? [] : networksOf("LINEWRIGHT_OUTGOING_DENY", text);
}

function networksOf(setting: string, text: string): string[] {
  const networks = listOf(text);
  if (networks.length === 0) throw new ConfigurationError(`${setting}: no network is named`);
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong !== undefined) throw new ConfigurationError(`${setting}: ${wrong} is no network and no address`);
  return networks;
}

function listOf(text: string): string[] {
  return text.split(",").flatMap((part) => part.trim() || []);
}
