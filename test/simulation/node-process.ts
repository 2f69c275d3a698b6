import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { NodeCommand, NodeMessage, NodeSettings } from "./node-messages.ts";

/** Told of what a node says by itself: starts and finishes that it answers. */
export type NodeListener = (message: NodeMessage) => void;

/** A node in a process of its own. */
export interface NodeProcess {
  /** Milliseconds from the start of the process until it works. */
  readyMs: number;
  pid: number;
  send(command: NodeCommand): void;
  /** The next message of this kind; rejects when the process ends before. */
  next<Kind extends NodeMessage["is"]>(kind: Kind): Promise<Extract<NodeMessage, { is: Kind }>>;
  /** Resolves with true when the process ends by itself, with false when it lives after that time or is done before. */
  endsWithin(ms: number): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL, if it lives; resolves when it is gone and all it said was heard. */
  kill(): Promise<void>;
  /** Lets it end what is under way and closes its store. */
  stop(): Promise<void>;
}

/** A node ended before it did what it was to do. */
export class NodeEndedError extends Error {
  override readonly name = "NodeEndedError";
  /** The signal that ended it, if it was one. */
  readonly signal: NodeJS.Signals | null;

  constructor(child: ChildProcess, before: string) {
    super(`the node ended (${child.signalCode ?? `code ${child.exitCode}`}) before it ${before}`);
    this.signal = child.signalCode;
  }
}

/** Starts a node process of a built bundle and waits until it works. */
export async function startNode(main: string, settings: NodeSettings, listener: NodeListener): Promise<NodeProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [main, JSON.stringify(settings)], { stdio: ["pipe", "pipe", "inherit"] });
  // A command to a process that was just killed has nobody to reach.
  child.stdin.on("error", () => undefined);
  const waiting = new Map<NodeMessage["is"], ((message: NodeMessage | undefined) => void)[]>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as NodeMessage;
    listener(message);
    for (const resolve of waiting.get(message.is)?.splice(0) ?? []) resolve(message);
  });
  let isClosed = false;
  const closed = once(child, "close").then(() => {
    isClosed = true;
    for (const resolvers of waiting.values()) for (const resolve of resolvers.splice(0)) resolve(undefined);
  });
  const next = <Kind extends NodeMessage["is"]>(kind: Kind): Promise<Extract<NodeMessage, { is: Kind }>> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new NodeEndedError(child, `said ${kind}`));
      const resolvers = waiting.get(kind) ?? [];
      waiting.set(kind, resolvers);
      resolvers.push((message) => {
        if (message) resolve(message as Extract<NodeMessage, { is: Kind }>);
        else reject(new NodeEndedError(child, `said ${kind}`));
      });
    });
  await next("ready");
  return describe(child, { closed, next, readyMs: Math.round(performance.now() - startedAt) });
}

interface Parts extends Pick<NodeProcess, "next" | "readyMs"> {
  /** All that the process said was heard. */
  closed: Promise<void>;
}

function describe(child: ChildProcess, { closed, next, readyMs }: Parts): NodeProcess {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const send = (command: NodeCommand) => void child.stdin?.write(`${JSON.stringify(command)}\n`);
  return {
    readyMs,
    pid: child.pid ?? 0,
    send,
    next,
    async endsWithin(ms) {
      let timer: NodeJS.Timeout | undefined;
      const timeOver = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)));
      send({ do: "settle", withinMs: ms });
      const isDone = next("settled").then(
        () => false,
        () => true,
      );
      const hasGone = await Promise.race([isDone, timeOver]);
      clearTimeout(timer);
      return hasGone;
    },
    signal: (signal) => void child.kill(signal),
    async kill() {
      if (!hasEnded()) child.kill("SIGKILL");
      await closed;
    },
    async stop() {
      send({ do: "stop" });
      await closed;
      if (child.exitCode !== 0) throw new NodeEndedError(child, "had stopped");
    },
  };
}
