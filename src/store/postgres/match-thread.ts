import { Worker } from "node:worker_threads";
import { builtUrl } from "../../core/built-url.ts";
import type { Clock } from "../../core/clock.ts";
import { StoreUnavailableError } from "../store.ts";
import type { MatchAnswer, MatchQuestion } from "./match-worker.ts";
import { tooSlow } from "./postgres-errors.ts";

/**
 * Judges documents by conditions with regular expressions in a thread of its own. A thread that has not
 * answered by its deadline is ended, and the next question gets a new one.
 */
export class MatchThread {
  readonly #clock: Clock;
  #worker: Worker | undefined;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Positions of the texts that satisfy the condition; a PlatformError UNPROCESSABLE after `deadlineMs`. */
  ask(question: MatchQuestion, deadlineMs: number): Promise<MatchAnswer> {
    if (this.#isClosed) throw new StoreUnavailableError("The store is closed");
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    return new Promise((resolve, reject) => {
      const cancelDeadline = this.#clock.after(deadlineMs, () => {
        this.#worker = undefined;
        settle(() => reject(tooSlow()));
        void worker.terminate();
      });
      const answered = (answer: MatchAnswer): void => settle(() => resolve(answer));
      const ended = (): void => settle(() => reject(new StoreUnavailableError("The matching thread ended")));
      const settle = (finish: () => void): void => {
        cancelDeadline();
        worker.off("message", answered);
        worker.off("exit", ended);
        worker.unref();
        finish();
      };
      worker.on("message", answered);
      worker.on("exit", ended);
      worker.postMessage(question);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(builtUrl(import.meta.url, "./match-worker.js"));
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    // The error itself reaches the caller through `exit`, which follows.
    worker.on("error", forget);
    worker.on("exit", forget);
    return worker;
  }
}
