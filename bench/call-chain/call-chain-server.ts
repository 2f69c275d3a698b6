import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { TaskCaller } from "../../src/workflow-engine/index.ts";
import { openStoreAt } from "../../src/store/index.ts";
import { benchLocation, startBenchEngine } from "../bench-engine.ts";
import { adapterChain } from "../workflows.ts";
import { startCallChild } from "./call-child.mjs";

// Engine, store and work queue behind `POST /start`, as the peers are; tasks are calls of another process, as
// those of adapters will be. PEER_DATABASE_URL: PostgreSQL; otherwise SQLite in PEER_DATA_DIR.

const child = startCallChild();

/** A task `stepN` gets the state of the step before and answers its own. */
const calls: TaskCaller = {
  async call({ task, incoming }) {
    const state = await child.call(Number(task.name.slice("step".length)), incoming["state"] as object);
    return { finishState: "success", outgoing: { state } };
  },
};

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

const store = await openStoreAt(benchLocation(process.env["PEER_DATA_DIR"] ?? ".", process.env["PEER_DATABASE_URL"]));
const engine = await startBenchEngine(store, calls);
await engine.keep(adapterChain());

const server = createServer((request, response) => {
  void readText(request)
    .then((text) => engine.run(adapterChain().name, { state: JSON.parse(text) as unknown }))
    .then(
      ({ variables }) =>
        response.end(JSON.stringify((variables as { result?: unknown }).result ?? { error: "the job did not end" })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
});
server.listen(0, "127.0.0.1", () => {
  process.once("SIGTERM", () => process.exit(0));
  process.stdin.resume().once("end", () => process.exit(0));
  console.log(`serving http://127.0.0.1:${(server.address() as AddressInfo).port}/start`);
});
