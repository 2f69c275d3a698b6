import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PoolListener, PoolWorker } from "./deadline-pool.ts";

/** What a worker process may have. */
export interface ProcessLimits {
  /** Megabytes of its heap. Beyond it the process ends, and no other. */
  memoryMb: number;
  /** Arguments for the module. */
  args?: readonly string[];
}

/**
 * A process of its own as a worker. Unlike a thread it can be ended wherever it is, and takes nobody with it when it
 * runs out of memory. Its environment is empty but for the time zone; it reads and prints nothing.
 */
export function startProcess<Question, Answer>(
  module: URL,
  { memoryMb, args = [] }: ProcessLimits,
  { onMessage, onEnd }: PoolListener<Answer>,
): PoolWorker<Question> {
  const { TZ } = process.env;
  const child = fork(fileURLToPath(module), args, {
    serialization: "advanced",
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: TZ === undefined ? {} : { TZ },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", (_code, signal) => {
      // An empty heap aborts; the watch of the process, and the system when its memory runs out, kill it.
      onEnd(signal === "SIGABRT" || signal === "SIGKILL" ? "memory" : "ended");
      resolve();
    });
    child.once("error", () => {
      onEnd("ended");
      resolve();
    });
  });
  child.on("message", (message) => onMessage(message as Answer | "ready"));
  return {
    post: (question) => void child.send(question as object),
    hold(isHeld) {
      if (isHeld) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    end() {
      child.kill("SIGKILL");
      return exited;
    },
  };
}
