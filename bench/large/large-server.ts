import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { systemCaller } from "../../src/core/caller.ts";
import { largestResult, tooLargeResult } from "../../src/core/result-size.ts";
import type { TaskResult } from "../../src/core/task.ts";
import { documentOf, type TaskCaller } from "../../src/workflow-engine/index.ts";
import { openStoreAt } from "../../src/store/index.ts";
import { benchLocation, startBenchEngine } from "../bench-engine.ts";
import { largeAnswer } from "./large-workflows.ts";

// Engine, store and work queue behind `POST /jobs` and `GET /jobs/:id`, with a task `answer` whose result another
// process makes, as an adapter would. PEER_DATABASE_URL: PostgreSQL; otherwise SQLite in PEER_DATA_DIR.

const longestRunMs = 60_000;
const answering = fileURLToPath(new URL("answering-process.mjs", import.meta.url));

/** `answer`: as many megabytes as it is told to, from another process. `take`: how much it was given. */
const calls: TaskCaller = {
  async call({ task, incoming }): Promise<TaskResult> {
    if (task.name === "take") return success({ length: (incoming["given"] as unknown[]).length });
    const result = await answerOf(incoming["mb"]);
    return result === undefined ? { finishState: "error", outgoing: {}, error: tooLargeResult } : success({ result });
  },
};

function success(outgoing: Record<string, unknown>): TaskResult {
  return { finishState: "success", outgoing };
}

/** What another process answers, as far as a result may go: `undefined` when there is more. */
async function answerOf(megabytes: unknown): Promise<unknown> {
  const child = spawn(process.execPath, [answering, String(megabytes)], { stdio: ["ignore", "pipe", "ignore"] });
  let answered = "";
  for await (const piece of child.stdout.setEncoding("utf8")) {
    answered += String(piece);
    if (answered.length <= largestResult) continue;
    child.kill();
    return undefined;
  }
  return JSON.parse(answered) as unknown;
}

const store = await openStoreAt(benchLocation(process.env["PEER_DATA_DIR"] ?? ".", process.env["PEER_DATABASE_URL"]));
const bench = await startBenchEngine(store, calls);
await bench.keep(largeAnswer());
const { jobs } = bench.engine;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader("content-type", "application/json");
  const id = /^\/jobs\/(\w+)$/u.exec(request.url ?? "")?.[1];
  if (id !== undefined) {
    response.end(JSON.stringify(documentOf(await jobs.view(id, systemCaller))));
    return;
  }
  const variables = JSON.parse(await text(request)) as Record<string, unknown>;
  const { state } = await jobs.start(largeAnswer().name, { variables }, systemCaller, longestRunMs);
  const { status, errors } = state;
  response.end(JSON.stringify({ _id: state.origin._id, status, errors, length: state.variables["length"] }));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, "127.0.0.1", () => {
  process.once("SIGTERM", () => process.exit(0));
  process.stdin.resume().once("end", () => process.exit(0));
  console.log(`serving http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
