import { Worker } from "node:worker_threads";
import { builtUrl } from "../../core/built-url.ts";
import type { Collections } from "../indexes.ts";
import type { Outcome } from "../commits/commit-outcome.ts";
import type { CommitRunner, PendingCommit } from "../commits/commit-runner.ts";
import type { EncodedWrite } from "../commits/encode-writes.ts";

/** What the worker is started with. */
export interface CommitWorkerData {
  file: string;
  collections: Collections;
}

/** From the store: a group to execute, or `"close"`. From the worker: the outcomes of the group. */
export type CommitWorkerMessage = readonly (readonly EncodedWrite[])[] | "close";

/** Executes commits in a worker thread, so that the event loop stays free during fsync. A worker that died is replaced with the next group. */
export class WorkerCommitRunner implements CommitRunner {
  readonly #data: CommitWorkerData;
  #worker: Worker | undefined;

  constructor(data: CommitWorkerData) {
    this.#data = data;
  }

  run(group: readonly PendingCommit[]): Promise<readonly Outcome[]> {
    const worker = (this.#worker ??= this.#start());
    // Only work under way keeps the process alive.
    worker.ref();
    return new Promise((resolve) => {
      const settle = (outcomes: readonly Outcome[]): void => {
        worker.off("message", settle);
        worker.off("exit", fail);
        worker.unref();
        resolve(outcomes);
      };
      const fail = (): void =>
        settle(group.map(() => ({ failure: "unavailable", message: "the writing thread ended" })));
      worker.on("message", settle);
      worker.on("exit", fail);
      const message: CommitWorkerMessage = group.map(({ encoded }) => encoded);
      worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker) return;
    worker.ref();
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage("close" satisfies CommitWorkerMessage);
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(builtUrl(import.meta.url, "./commit-worker.js"), { workerData: this.#data });
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    // The error itself reaches callers through `exit`, which follows.
    worker.on("error", forget);
    worker.on("exit", forget);
    return worker;
  }
}
