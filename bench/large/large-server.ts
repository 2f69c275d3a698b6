import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { systemCaller } from "../../src/core/caller.ts";
import { StoredValue } from "../../src/core/stored-value.ts";
import type { TaskResult } from "../../src/core/task.ts";
import { documentOf, type TaskCaller } from "../../src/workflow-engine/index.ts";
import { openStoreAt } from "../../src/store/index.ts";
import { benchLocation, startBenchEngine } from "../bench-engine.ts";
import { largeAnswer } from "./large-workflows.ts";

// Engine, store and work queue behind `POST /jobs`, `GET /jobs/:id` and `GET /large-data/:id`, with a task `answer` whose result another
// process makes, as an adapter would. PEER_DATABASE_URL: PostgreSQL; otherwise SQLite in PEER_DATA_DIR.

const longestRunMs = 300_000;
const answering = fileURLToPath(new URL("answering-process.mjs", import.meta.url));

/** `answer`: as many megabytes as it is told to, from another process. `take`: of how many characters of JSON it was given a list. */
const calls: TaskCaller = {
  async call({ task, incoming, keep }): Promise<TaskResult> {
    if (task.name === "take") return success({ length: await lengthOf(incoming["given"]) });
    const child = spawn(process.execPath, [answering, String(incoming["mb"])], { stdio: ["ignore", "pipe", "ignore"] });
    return success({ result: await keep(child.stdout) });
  },
};

function success(outgoing: Record<string, unknown>): TaskResult {
  return { finishState: "success", outgoing };
}

async function lengthOf(given: unknown): Promise<number> {
  if (!(given instanceof StoredValue)) return JSON.stringify(given).length;
  let length = 0;
  for await (const piece of given.open()) length += piece.length;
  return length;
}

const store = await openStoreAt(benchLocation(process.env["PEER_DATA_DIR"] ?? ".", process.env["PEER_DATABASE_URL"]));
const bench = await startBenchEngine(store, calls);
await bench.keep(largeAnswer());
const { jobs, history } = bench.engine;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader("content-type", "application/json");
  const id = /^\/jobs\/(\w+)$/u.exec(request.url ?? "")?.[1];
  if (id !== undefined) {
    response.end(JSON.stringify(documentOf(await jobs.view(id, systemCaller))));
    return;
  }
  const valueId = /^\/large-data\/([\w.]+)$/u.exec(request.url ?? "")?.[1];
  if (valueId !== undefined) {
    await pipeline(await history.largeValue(valueId, undefined, systemCaller), response);
    return;
  }
  const variables = JSON.parse(await text(request)) as Record<string, unknown>;
  const { state } = await jobs.start(largeAnswer().name, { variables }, systemCaller, longestRunMs);
  const { status, errors } = state;
  const { answer: value, length } = state.variables;
  const kept = value instanceof StoredValue ? { valueId: value.id } : {};
  response.end(JSON.stringify({ _id: state.origin._id, status, errors, length, ...kept }));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, "127.0.0.1", () => {
  process.once("SIGTERM", () => process.exit(0));
  process.stdin.resume().once("end", () => process.exit(0));
  console.log(`serving http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
