export {
  createWorkerPool,
  WorkerPoolError,
  WorkLimitError,
  type Countdown,
  type RunOptions,
  type WorkerPool,
  type WorkerPoolOptions,
} from "./worker-pool.ts";
export type { WorkInput, WorkName, WorkOutput } from "./pool-work.ts";
