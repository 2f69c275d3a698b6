import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startAnnounced } from "../processes/announced-process.ts";
import type { Environment } from "../processes/slow-fsync.ts";
import type { RunningTarget, Target, TargetParts } from "./target.ts";

/** A peer, and in which databases it keeps its workflows. */
export interface Peer {
  name: string;
  durability: string;
  database?: "postgres" | "redis";
  /** Whether a library can slow its fsync down: not that of a statically linked server. */
  canBeSlowed?: boolean;
  environment?: Environment;
}

/** Engines of the same kind, each used as its documentation recommends for durable steps. */
export const peers: readonly Peer[] = [
  { name: "dbos", durability: "each step, PostgreSQL", database: "postgres", canBeSlowed: true },
  { name: "bullmq", durability: "each step, Redis appendfsync always", database: "redis", canBeSlowed: true },
  { name: "restate", durability: "each step, its own server" },
  { name: "graphile-worker", durability: "each step a queue job, PostgreSQL", database: "postgres" },
  { name: "pg-boss", durability: "each step a queue job, PostgreSQL", database: "postgres" },
  { name: "node-red", durability: "none: context file every 30 s" },
  { name: "node-red-written", durability: "each step a file, no fsync", environment: { PEER_CONTEXT: "written" } },
];

const folder = new URL("../peers/", import.meta.url);

/** Whether `npm run bench:install` was run. */
export function arePeersInstalled(): boolean {
  return existsSync(fileURLToPath(new URL("node_modules", folder)));
}

/** A peer as a target. `steps`: whether it does the steps itself, or calls another process for each. */
export function peerTarget(peer: Peer, steps: "here" | "called" = "here"): Target {
  return {
    name: peer.name,
    durability: peer.durability,
    start: (parts) => startPeer(peer, steps, parts),
  };
}

async function startPeer(peer: Peer, steps: string, parts: TargetParts): Promise<RunningTarget> {
  const dataFolder = await mkdtemp(join(tmpdir(), `linewright-${peer.name}-`));
  const database = await databaseOf(peer, parts);
  const file = fileURLToPath(new URL(`${peer.name.replace("-written", "")}.mjs`, folder));
  const environment = {
    ...parts.environment,
    ...peer.environment,
    ...database.environment,
    PEER_STEPS: steps,
    PEER_DATA_DIR: dataFolder,
    NODE_ENV: "production",
  };
  const peerProcess = await startAnnounced([file], environment);
  const { url, pid, coldStartMs } = peerProcess;
  return {
    pid,
    databasePid: database.pid,
    coldStartMs,
    request: { url, headers: { "content-type": "application/json" }, body: JSON.stringify({ device: "r1" }) },
    resultOf: (answer) => (answer as { result?: unknown }).result,
    async stop() {
      await peerProcess.stop();
      await database.remove();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

interface PeerDatabase {
  pid?: number;
  environment: Environment;
  remove(): Promise<void>;
}

async function databaseOf({ database }: Peer, { databases }: TargetParts): Promise<PeerDatabase> {
  const keep = async (): Promise<void> => undefined;
  if (database === "redis") {
    const { pid, url } = await databases.redis();
    return { pid, environment: { PEER_REDIS_URL: url }, remove: keep };
  }
  if (database === undefined) return { environment: {}, remove: keep };
  const server = await databases.postgres();
  const { url, remove } = await server.createDatabase();
  return { pid: server.pid, environment: { PEER_DATABASE_URL: url }, remove };
}
