import { setInterval } from "node:timers";
import { workerData } from "node:worker_threads";
import type { WatchData } from "./start-watch.ts";

// This file is the body of the thread that watches over a worker process.
const { parent, mostMb } = workerData as WatchData;
const everyMs = 100;

setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > mostMb * 1024 * 1024;
  if (process.ppid !== parent || isTooLarge) process.kill(process.pid, "SIGKILL");
}, everyMs);
