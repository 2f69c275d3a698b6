import type { Worker } from "node:worker_threads";
import type { Clock } from "../core/clock.ts";
import { StoreUnavailableError } from "./store.ts";

export interface DeadlineThreadOptions {
  clock: Clock;
  /** What the thread does, as errors name it: `reading`. */
  purpose: string;
  /** Starts the thread. It answers each message with one. */
  start: () => Worker;
}

/**
 * A thread for work that a user's regular expression may make endless, one question at a time. A thread that has
 * not answered by its deadline is ended, and the next question gets a new one.
 */
export class DeadlineThread<Question, Answer> {
  readonly #options: DeadlineThreadOptions;
  #worker: Worker | undefined;
  #isClosed = false;

  constructor(options: DeadlineThreadOptions) {
    this.#options = options;
  }

  /** The thread's answer; rejects with `tooSlow` after `deadlineMs`, with StoreUnavailableError when the thread ended. */
  async ask(question: Question, deadlineMs: number, tooSlow: () => Error): Promise<Answer> {
    if (this.#isClosed) throw new StoreUnavailableError("The store is closed");
    const worker = (this.#worker ??= this.#start());
    // Only work under way keeps the process alive.
    worker.ref();
    return new Promise((resolve, reject) => {
      const cancelDeadline = this.#options.clock.after(deadlineMs, () => {
        this.#worker = undefined;
        void worker.terminate();
        settle(() => reject(tooSlow()));
      });
      const answered = (answer: Answer): void => settle(() => resolve(answer));
      const ended = (): void =>
        settle(() =>
          reject(new StoreUnavailableError(`The store is not available: the ${this.#options.purpose} thread ended`)),
        );
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

  /** Ends the thread: a question under way fails as the store does once it is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = this.#options.start();
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    // The error itself reaches the caller through `exit`, which follows.
    worker.on("error", forget);
    worker.on("exit", forget);
    return worker;
  }
}
