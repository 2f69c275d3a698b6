import { Worker } from "node:worker_threads";
import type { Clock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";
import { builtUrl } from "../../core/built-url.ts";
import { StoreUnavailableError } from "../store.ts";
import type { CompiledSql } from "./compile-condition.ts";

export interface FindWorkerData {
  file: string;
}

export type FindWorkerRequest = CompiledSql;

export type FindWorkerAnswer = { rows: unknown[] } | { message: string; isUnavailable: boolean };

/** What a slow reader needs: the database, and how long one query may take. */
export interface SlowReaderOptions {
  file: string;
  clock: Clock;
  deadlineMs: number;
}

/**
 * Reads in a thread of its own, one query at a time. A query that is not answered by the deadline is
 * a PlatformError UNPROCESSABLE, and its thread is ended; the next query gets a new one.
 */
export class SlowReader {
  readonly #options: SlowReaderOptions;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: SlowReaderOptions) {
    this.#options = options;
  }

  all<Row>(request: CompiledSql): Promise<Row[]> {
    const answer = this.#last.then(() => this.#ask(request));
    this.#last = answer.catch(() => undefined);
    return answer as Promise<Row[]>;
  }

  /** Ends queries under way: they fail as the store does once it is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
    await this.#last;
  }

  async #ask(request: FindWorkerRequest): Promise<unknown[]> {
    if (this.#isClosed) throw new StoreUnavailableError("The store is closed");
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    return new Promise((resolve, reject) => {
      const cancelDeadline = this.#options.clock.after(this.#options.deadlineMs, () => {
        this.#abandon(worker);
        settle(() => reject(this.#tooSlow()));
      });
      const answered = (answer: FindWorkerAnswer): void =>
        settle(() => ("rows" in answer ? resolve(answer.rows) : reject(answerError(answer))));
      const ended = (): void =>
        settle(() => reject(new StoreUnavailableError("The store is not available: the reading thread ended")));
      const settle = (finish: () => void): void => {
        cancelDeadline();
        worker.off("message", answered);
        worker.off("exit", ended);
        worker.unref();
        finish();
      };
      worker.on("message", answered);
      worker.on("exit", ended);
      worker.postMessage(request);
    });
  }

  #start(): Worker {
    const data: FindWorkerData = { file: this.#options.file };
    const worker = new Worker(builtUrl(import.meta.url, "./find-worker.js"), { workerData: data });
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    // The error itself reaches the caller through `exit`, which follows.
    worker.on("error", forget);
    worker.on("exit", forget);
    return worker;
  }

  #abandon(worker: Worker): void {
    this.#worker = undefined;
    void worker.terminate();
  }

  #tooSlow(): PlatformError {
    return new PlatformError(
      "UNPROCESSABLE",
      `The query took longer than ${this.#options.deadlineMs / 1000} s. Simplify its $regex or narrow it by other fields.`,
    );
  }
}

function answerError({ message, isUnavailable }: { message: string; isUnavailable: boolean }): Error {
  return isUnavailable ? new StoreUnavailableError(message) : new Error(message);
}
