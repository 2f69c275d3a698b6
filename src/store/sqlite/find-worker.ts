import { parentPort, workerData } from "node:worker_threads";
import { openForReading } from "./open-database.ts";
import { registerRegexFunction } from "./regex-function.ts";
import type { FindWorkerAnswer, FindWorkerData, FindWorkerRequest } from "./slow-reader.ts";
import { isUnavailable, messageOf } from "./sqlite-errors.ts";
import { StoreReader } from "./store-reader.ts";
import { StoreUnavailableError } from "../store.ts";

// Entry of the thread for reads that a user's regular expression may make endless.
const { file } = workerData as FindWorkerData;
const reader = new StoreReader(() => {
  const database = openForReading(file);
  registerRegexFunction(database);
  return database;
});

parentPort?.on("message", (request: FindWorkerRequest) => parentPort?.postMessage(answer(request)));

function answer({ sql, parameters }: FindWorkerRequest): FindWorkerAnswer {
  try {
    return { rows: reader.all(sql, parameters) };
  } catch (error) {
    return { message: messageOf(error), isUnavailable: error instanceof StoreUnavailableError || isUnavailable(error) };
  }
}
