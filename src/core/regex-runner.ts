import { Worker } from "node:worker_threads";
import { builtUrl } from "./built-url.ts";
import { createSystemClock, type Clock } from "./clock.ts";

/** The first match of a pattern. `captures` are the groups in order; null where a group took no part. */
export interface RegexMatch {
  text: string;
  index: number;
  captures: readonly (string | null)[];
}

export interface RegexQuestion {
  pattern: string;
  flags: string;
  text: string;
}

export type RegexAnswer = { match: RegexMatch | null } | { problem: string };

/** Runs patterns of users away from the event loop and under a deadline (decision 17). */
export interface RegexRunner {
  /** First match or null. Rejects with RegexError when the pattern does not compile or takes longer than the deadline. */
  exec(question: RegexQuestion): Promise<RegexMatch | null>;
  /** Does the pattern match anywhere in the text? Rejects like `exec`. */
  test(question: RegexQuestion): Promise<boolean>;
  /** Ends all workers; what still waits is rejected. */
  close(): Promise<void>;
}

/** A pattern that cannot be used: it does not compile, or was stopped at the deadline. */
export class RegexError extends Error {
  override readonly name = "RegexError";
}

export interface RegexRunnerOptions {
  /** How long one pattern may run on one text. */
  deadlineMs: number;
  /** Most workers at a time. */
  size: number;
  clock?: Clock;
}

const closedText = "the pattern runner was closed";

interface Waiting {
  question: RegexQuestion;
  resolve(match: RegexMatch | null): void;
  reject(error: Error): void;
}

/** A worker and who listens to it at the moment. */
interface PoolWorker {
  thread: Worker;
  onMessage(message: RegexAnswer | "ready"): void;
  /** Called when the thread ended by itself. */
  onEnd(): void;
}

/** A pool of worker threads, started when first needed. The deadline counts from when a worker has the question. */
export function createRegexRunner(options: RegexRunnerOptions): RegexRunner {
  return new RegexPool(options);
}

class RegexPool implements RegexRunner {
  readonly #options: RegexRunnerOptions;
  readonly #clock: Clock;
  readonly #idle: PoolWorker[] = [];
  readonly #all = new Set<PoolWorker>();
  readonly #queue: Waiting[] = [];
  #starting = 0;
  #isClosed = false;

  constructor(options: RegexRunnerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? createSystemClock();
  }

  async exec(question: RegexQuestion): Promise<RegexMatch | null> {
    if (this.#isClosed) throw new RegexError(closedText);
    return new Promise((resolve, reject) => {
      this.#queue.push({ question, resolve, reject });
      this.#dispatch();
    });
  }

  async test(question: RegexQuestion): Promise<boolean> {
    return (await this.exec(question)) !== null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectAll(closedText);
    await Promise.all([...this.#all].map((worker) => worker.thread.terminate()));
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop();
      if (!worker) break;
      this.#ask(worker, this.#queue.shift() as Waiting);
    }
    while (this.#starting < this.#queue.length && this.#all.size < this.#options.size) this.#startWorker();
  }

  #startWorker(): void {
    const thread = new Worker(builtUrl(import.meta.url, "./regex-worker.js"));
    const worker: PoolWorker = {
      thread,
      onMessage: () => {
        this.#starting--;
        this.#rest(worker);
      },
      onEnd: () => {
        this.#starting--;
        this.#retire(worker);
        this.#rejectAll("the pattern runner cannot be started");
      },
    };
    this.#starting++;
    this.#all.add(worker);
    thread.on("message", (message: RegexAnswer | "ready") => worker.onMessage(message));
    thread.on("error", () => worker.onEnd()).on("exit", () => worker.onEnd());
  }

  #rest(worker: PoolWorker): void {
    worker.onMessage = () => undefined;
    worker.onEnd = () => this.#retire(worker);
    // An idle worker must not keep the process alive.
    worker.thread.unref();
    this.#idle.push(worker);
    this.#dispatch();
  }

  #ask(worker: PoolWorker, waiting: Waiting): void {
    const { deadlineMs } = this.#options;
    const fail = (message: string): void => {
      stopDeadline();
      this.#retire(worker);
      waiting.reject(new RegexError(message));
      this.#dispatch();
    };
    const stopDeadline = this.#clock.after(deadlineMs, () => fail(`the pattern was stopped after ${deadlineMs} ms`));
    worker.onEnd = () => fail(this.#isClosed ? closedText : "the pattern ended its worker");
    worker.onMessage = (answer) => {
      stopDeadline();
      if (answer !== "ready") settleWith(waiting, answer);
      this.#rest(worker);
    };
    worker.thread.ref();
    worker.thread.postMessage(waiting.question);
  }

  #retire(worker: PoolWorker): void {
    this.#all.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at !== -1) this.#idle.splice(at, 1);
    worker.onMessage = () => undefined;
    worker.onEnd = () => undefined;
    void worker.thread.terminate();
  }

  #rejectAll(message: string): void {
    for (const waiting of this.#queue.splice(0)) waiting.reject(new RegexError(message));
  }
}

function settleWith(waiting: Waiting, answer: RegexAnswer): void {
  if ("problem" in answer) waiting.reject(new RegexError(answer.problem));
  else waiting.resolve(answer.match);
}
