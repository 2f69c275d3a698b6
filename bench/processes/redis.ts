import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { endProcess } from "./announced-process.ts";
import { endWithBench } from "./end-with-bench.ts";
import type { Environment } from "./slow-fsync.ts";

export interface RedisServer {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts `redis-server` so that a command is answered after it is on disk: append-only file, an fsync before each answer. */
export async function startRedis(environment: Environment = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "linewright-redis-"));
  const port = await freePort();
  const settings = { port, bind: "127.0.0.1", dir: folder, appendonly: "yes", appendfsync: "always", save: "" };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn("redis-server", args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...environment },
  });
  const release = endWithBench(child);
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`redis-server ended with code ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.includes("Ready to accept connections")) resolve();
    });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      release();
      await endProcess(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
