import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { signIn } from "../support/platform.ts";
import type { ServerAnswer, ServerQuestion, ServerSight } from "./hostile-server.ts";

/** What a server answered. */
export interface HostileReply {
  status: number;
  text: string;
  ms: number;
}

/** A platform in a process of its own, under attack. */
export interface HostileServer {
  /** A request of the administrator. Rejects when the server does not answer. */
  request(method: string, path: string, body?: unknown): Promise<HostileReply>;
  /** The state of its process; holds and memory since the last look. */
  look(): Promise<ServerSight>;
  /** How it ended, once it has ended by itself. */
  endedWith(): string | undefined;
  stop(): Promise<void>;
}

/** Limits of the pool of the server. */
export interface PoolLimits {
  workers: number;
  deadlineMs: number;
  memoryMb: number;
}

/** Starts it. `secret` is in its environment, and in no answer. */
export async function startHostileServer(pool: PoolLimits, secret: string): Promise<HostileServer> {
  const child = fork(fileURLToPath(new URL("hostile-server.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, HOSTILE_POOL: JSON.stringify(pool), HOSTILE_SECRET: secret },
  });
  let end: string | undefined;
  let listener: { hear(answer: ServerAnswer): void; fail(error: Error): void } | undefined;
  child.on("message", (answer) => listener?.hear(answer as ServerAnswer));
  child.once("exit", (code, signal) => {
    end = `code ${code}, signal ${signal}`;
    listener?.fail(new Error(`the server ended with ${end}`));
  });
  const heard = (): Promise<ServerAnswer> => new Promise((hear, fail) => (listener = { hear, fail }));
  const first = await heard();
  if (!("serving" in first)) throw new Error("the server does not say where it serves");
  const { url, password } = first.serving;
  const authorization = `Bearer ${await signIn(url, "admin", password)}`;
  return {
    async request(method, path, body) {
      const begunAt = performance.now();
      const reply = await fetch(new URL(path, url), {
        method,
        headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, text, ms: performance.now() - begunAt };
    },
    async look() {
      const answer = heard();
      child.send("look" satisfies ServerQuestion);
      const told = await answer;
      if (!("sight" in told)) throw new Error("the server does not tell of itself");
      return told.sight;
    },
    endedWith: () => end,
    async stop() {
      if (end !== undefined) return;
      const ended = once(child, "exit");
      child.send("stop" satisfies ServerQuestion);
      await ended;
    },
  };
}
