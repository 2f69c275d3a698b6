import { Worker } from "node:worker_threads";
import type { Clock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";
import { builtUrl } from "../../core/built-url.ts";
import { DeadlineThread } from "../deadline-thread.ts";
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
  readonly #deadlineMs: number;
  readonly #thread: DeadlineThread<FindWorkerRequest, FindWorkerAnswer>;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ file, clock, deadlineMs }: SlowReaderOptions) {
    const workerData: FindWorkerData = { file };
    this.#deadlineMs = deadlineMs;
    this.#thread = new DeadlineThread({
      clock,
      purpose: "reading",
      start: () => new Worker(builtUrl(import.meta.url, "./find-worker.js"), { workerData }),
    });
  }

  all<Row>(request: CompiledSql): Promise<Row[]> {
    const answer = this.#last.then(() => this.#ask(request));
    this.#last = answer.catch(() => undefined);
    return answer as Promise<Row[]>;
  }

  /** Ends queries under way: they fail as the store does once it is closed. */
  async close(): Promise<void> {
    await this.#thread.close();
    await this.#last;
  }

  async #ask(request: FindWorkerRequest): Promise<unknown[]> {
    const answer = await this.#thread.ask(request, this.#deadlineMs, () => this.#tooSlow());
    if ("rows" in answer) return answer.rows;
    throw answerError(answer);
  }

  #tooSlow(): PlatformError {
    return new PlatformError(
      "UNPROCESSABLE",
      `The query took longer than ${this.#deadlineMs / 1000} s. Simplify its $regex or narrow it by other fields.`,
    );
  }
}

function answerError({ message, isUnavailable }: { message: string; isUnavailable: boolean }): Error {
  return isUnavailable ? new StoreUnavailableError(message) : new Error(message);
}
