import { Worker } from "node:worker_threads";
import { builtUrl } from "../core/built-url.ts";

/** What the watch of a worker process is told. */
export interface WatchData {
  /** The process that started it. */
  parent: number;
  /** Megabytes of memory that the process may take, beside its heap also buffers. */
  mostMb: number;
}

// What Node.js itself takes, with the thread of the watch.
const emptyProcessMb = 160;

/**
 * Starts the watch of this process: a thread, as the work may keep the process from hearing anything. It ends the process
 * when its parent is gone or when it takes more memory than `memoryMb` beside its own.
 */
export function startWatch(memoryMb: number, onStart: () => void): void {
  const workerData: WatchData = { parent: process.ppid, mostMb: memoryMb + emptyProcessMb };
  const watch = new Worker(builtUrl(import.meta.url, "./watch.js"), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  watch.once("online", onStart);
  watch.unref();
}
