import { Worker, type WorkerOptions } from "node:worker_threads";
import type { PoolListener, PoolWorker } from "./deadline-pool.ts";

/**
 * A thread of this process as a worker. It cannot be interrupted inside what the engine of the language does by itself,
 * and to run out of memory there ends this process: for work whose memory is bounded by its input.
 */
export function startThread<Question, Answer>(
  module: URL,
  options: WorkerOptions,
  { onMessage, onEnd }: PoolListener<Answer>,
): PoolWorker<Question> {
  const thread = new Worker(module, options);
  thread.on("message", onMessage);
  // The error itself does not matter: `exit` follows.
  thread.on("error", () => undefined);
  thread.on("messageerror", () => onEnd("ended"));
  thread.on("exit", () => onEnd("ended"));
  return {
    post: (question) => thread.postMessage(question),
    hold: (isHeld) => (isHeld ? thread.ref() : thread.unref()),
    end: async () => void (await thread.terminate()),
  };
}
