import { builtUrl } from "../core/built-url.ts";
import type { Clock } from "../core/clock.ts";
import { DeadlinePool, PoolError } from "../core/deadline-pool.ts";
import { PlatformError } from "../core/errors.ts";
import { TaskError } from "../core/task.ts";
import { startProcess } from "../core/process-worker.ts";
import { joinPieces } from "./value-pieces.ts";
import type { WorkAnswer, WorkInput, WorkName, WorkOutput, WorkQuestion } from "./pool-work.ts";

/** Processes for pure work that would hold the event loop. */
export interface WorkerPool {
  /**
   * Does the named work in a worker. `key`: for whom; those who wait take turns by it. Rejects with TaskError for what the
   * work refuses, WorkLimitError when it goes over the limits, WorkerPoolError when the pool cannot do it now.
   */
  run<Name extends WorkName>(name: Name, input: WorkInput<Name>, options: RunOptions): Promise<WorkOutput<Name>>;
  /** Begins to count down the deadline of one piece of work, for whoever does several that may take no longer together. */
  countDown(): Countdown;
  /** Ends all workers; what is under way is rejected with WorkerPoolError. */
  close(): Promise<void>;
}

/** Time that several pieces of work have together, in milliseconds. */
export interface Countdown {
  mostMs: number;
  /** 0 once it is over. */
  leftMs(): number;
}

/** How one piece of work is run. */
export interface RunOptions {
  key: string;
  /** Instead of the pool's. */
  deadlineMs?: number;
}

/** Work that took longer or needed more memory than it may. */
export class WorkLimitError extends TaskError {
  readonly limit: "deadline" | "memory";

  constructor(message: string, limit: WorkLimitError["limit"]) {
    super(message);
    this.limit = limit;
  }
}

/** The pool cannot take the work now, as too much waits or the node stops. The same work can be given again. */
export class WorkerPoolError extends PlatformError {
  constructor(message: string) {
    super("UNAVAILABLE", message);
  }
}

export interface WorkerPoolOptions {
  /** Most processes at a time. */
  workers: number;
  /** Most milliseconds that one piece of work may take. */
  deadlineMs: number;
  /** Most megabytes of memory of one process. */
  memoryMb: number;
  clock: Clock;
}

const mostWaiting = 1_000;
const idleMs = 60_000;

/** Creates a pool. Its processes are started when they are first needed, and end when they are not any more. */
export function createWorkerPool({ workers, deadlineMs, memoryMb, clock }: WorkerPoolOptions): WorkerPool {
  const module = builtUrl(import.meta.url, "./worker.js");
  const pool = new DeadlinePool<WorkQuestion, WorkAnswer>({
    start: (listener) => startProcess(module, { memoryMb, args: [String(memoryMb)] }, listener),
    size: workers,
    deadlineMs,
    mostWaiting,
    idleMs,
    clock,
  });
  return {
    async run(name, input, options) {
      const answer = await pool.ask({ name, input }, options).catch((error: unknown) => {
        if (!(error instanceof PoolError)) throw error;
        throw explain(error, { deadlineMs, ...options, memoryMb });
      });
      if ("refusal" in answer) throw new TaskError(answer.refusal);
      if ("failure" in answer) throw new Error(`${name} failed in its worker: ${answer.failure}`);
      const output = "pieces" in answer ? await joinPieces(answer.pieces, nextTurn) : answer.output;
      return output as WorkOutput<typeof name>;
    },
    countDown() {
      const endsAt = clock.now() + deadlineMs;
      return { mostMs: deadlineMs, leftMs: () => Math.max(0, endsAt - clock.now()) };
    },
    close: () => pool.close(),
  };
}

/** Of the event loop: whatever else waits has its turn before. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function explain({ problem }: PoolError, limits: { deadlineMs: number; memoryMb: number }): Error {
  switch (problem) {
    case "deadline":
      return new WorkLimitError(
        `It was stopped after ${limits.deadlineMs} ms, the longest it may take (LINEWRIGHT_TASK_DEADLINE_MS)`,
        problem,
      );
    case "memory":
      return new WorkLimitError(
        `It was stopped as it needs more than ${limits.memoryMb} MB of memory (LINEWRIGHT_TASK_MEMORY_MB)`,
        problem,
      );
    case "ended":
      return new TaskError("The process that computed it ended before it was done");
    case "unpassable":
      return new TaskError("The values cannot be handed to a worker: they are nested too deep");
    case "busy":
      return new WorkerPoolError(`More than ${mostWaiting} computations wait for a worker; try again later`);
    case "unstartable":
      return new WorkerPoolError("No worker can be started; try again later");
    case "closed":
      return new WorkerPoolError("The node stops");
  }
}
