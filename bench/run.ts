import { appendFile, mkdir } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { Agent } from "undici";
import { runClosedLoop } from "./closed-loop.ts";
import { startServerProcess, type ServerProcess } from "../test/support/server-process.ts";
import { callChain, engineChain } from "./workflows.ts";

// npm run bench -- [engine-chain|call-chain|get|memory|cold-start …] [--seconds N] [--clients 1,16,64]

type Benchmark = (server: ServerProcess, options: Options) => Promise<void>;

interface Options {
  seconds: number;
  clients: number[];
}

const benchmarks: Record<string, Benchmark> = {
  "engine-chain": (server, options) => startWorkflows(server, options, "engine-chain", engineChain().name),
  "call-chain": (server, options) => startWorkflows(server, options, "call-chain", callChain().name),
  get: measureGet,
};

/** Starts workflows over HTTP and waits for their end, as a client would. */
async function startWorkflows(
  server: ServerProcess,
  { seconds, clients }: Options,
  name: string,
  workflow: string,
): Promise<void> {
  const body = JSON.stringify({ workflow, options: { description: "bench", variables: { device: "r1" } } });
  for (const count of clients) {
    const send = requester(server, count);
    const start = () => send("POST", "/operations-manager/jobs/start?wait=30000", body);
    const figures = await measured(server, count, seconds, start);
    await report(name, { ...figures, residentMb: await server.residentMb() });
  }
}

async function measureGet(server: ServerProcess, { seconds, clients }: Options): Promise<void> {
  for (const count of clients) {
    const send = requester(server, count);
    await report("get", await measured(server, count, seconds, () => send("GET", "/version")));
  }
}

/** The load's figures, and the processor time the server took for each request. */
async function measured(server: ServerProcess, clients: number, seconds: number, request: () => Promise<void>) {
  const cpuBefore = await server.cpuMs();
  const result = await runClosedLoop(clients, seconds * 1000, request);
  // The warm-up is a fifth of the counted time.
  const cpuMsPerRequest = ((await server.cpuMs()) - cpuBefore) / (result.requests * 1.2);
  return { ...result, cpuMsPerRequest: Number(cpuMsPerRequest.toFixed(3)) };
}

function requester(server: ServerProcess, connections: number) {
  const agent = new Agent({ connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  return async (method: "GET" | "POST", path: string, body?: string): Promise<void> => {
    const reply = await agent.request({
      origin: server.url,
      path,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (reply.statusCode >= 300) throw new Error(`${method} ${path} ${reply.statusCode}: ${await reply.body.text()}`);
    await reply.body.dump();
  };
}

async function report(benchmark: string, figures: object): Promise<void> {
  const machine = `${cpus()[0]?.model ?? "?"} x${availableParallelism()}, node ${process.version}`;
  const line = JSON.stringify({ benchmark, ...figures, machine, at: new Date().toISOString() });
  console.log(line);
  await mkdir("bench/results", { recursive: true });
  await appendFile("bench/results/results.jsonl", `${line}\n`);
}

function readOptions(args: readonly string[]): { names: string[]; options: Options } {
  const valueOf = (flag: string, fallback: string) => args[args.indexOf(flag) + 1 || args.length] ?? fallback;
  const names = args.filter((name) => Object.hasOwn(benchmarks, name));
  return {
    names: names.length > 0 ? names : Object.keys(benchmarks),
    options: {
      seconds: Number(valueOf("--seconds", "5")),
      clients: valueOf("--clients", "1,16,64").split(",").map(Number),
    },
  };
}

const { names, options } = readOptions(process.argv.slice(2));
const server = await startServerProcess();
try {
  await report("start", { coldStartMs: server.coldStartMs, idleResidentMb: await server.residentMb() });
  for (const workflow of [engineChain(), callChain()])
    await server.request("POST", "/workflow_builder/import", { workflow, options: {} });
  for (const name of names) await benchmarks[name]?.(server, options);
} finally {
  await server.stop();
}
