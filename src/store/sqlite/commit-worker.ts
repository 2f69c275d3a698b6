import { parentPort, workerData } from "node:worker_threads";
import { CommitExecutor } from "./commit-executor.ts";
import { openForWriting } from "./open-database.ts";
import type { CommitWorkerData, CommitWorkerMessage } from "./worker-commit-runner.ts";

// Entry of the writing thread: takes groups of commits, answers with their outcomes.
const { file, collections } = workerData as CommitWorkerData;
const executor = new CommitExecutor(() => openForWriting(file), collections);

parentPort?.on("message", (message: CommitWorkerMessage) => {
  if (message === "close") {
    executor.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(executor.run(message));
});
