import { join } from "node:path";
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { logLevels, type LogLevel } from "./core/logger.ts";

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
  logLevel: LogLevel;
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
    logLevel: value.LINEWRIGHT_LOG_LEVEL,
  };
}

function retentionOf(value: Static<typeof Configuration>): NodeConfiguration["retention"] {
  const { LINEWRIGHT_RETENTION_DAYS: days, LINEWRIGHT_ARCHIVE_DIR: folder } = value;
  if (days === undefined) return undefined;
  return { days, archiveDir: folder === "none" ? undefined : (folder ?? join(value.LINEWRIGHT_DATA_DIR, "archive")) };
}
