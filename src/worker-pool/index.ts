export {
  createWorkerPool,
  WorkerPoolError,
  WorkLimitError,
  type RunOptions,
  type WorkerPool,
  type WorkerPoolOptions,
} from "./worker-pool.ts";
export type { WorkInput, WorkName, WorkOutput } from "./pool-work.ts";
