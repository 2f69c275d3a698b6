import { readFileSync } from "node:fs";
import { createPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { openStoreAt, type Store } from "../../src/store/index.ts";
import type { TaskCaller } from "../../src/workflow-engine/index.ts";
import { benchLocation, startBenchEngine } from "../bench-engine.ts";
import { adapterChain, engineChain } from "../workflows.ts";

// Runs workflows on an engine in this process and prints what they cost, one JSON line per number of workflows at
// once. BENCH_DATABASE_URL: PostgreSQL; otherwise SQLite in BENCH_FOLDER. BENCH_CLIENTS: 1,64. FSYNC_COUNT_FILE is
// counted up by the library this process runs with.

const statements = { count: 0 };
const calls: Record<string, number> = {};

/** The same store, but each call of it is counted. */
function counting(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        calls[String(name)] = (calls[String(name)] ?? 0) + 1;
        return Reflect.apply(member, target, args);
      };
    },
  });
}

async function openStore(): Promise<Store> {
  const url = process.env["BENCH_DATABASE_URL"];
  if (url === undefined) return openStoreAt(benchLocation(process.env["BENCH_FOLDER"] ?? ".", undefined));
  const count = ({ phase }: { phase: string }): void => {
    if (phase === "before") statements.count += 1;
  };
  return createPostgresStore({ url, statementFaults: count });
}

/** A call that is answered a turn of the event loop later. */
const quickCalls: TaskCaller = {
  async call({ incoming }) {
    await new Promise((resolve) => setImmediate(resolve));
    return { finishState: "success", outgoing: { state: incoming["state"] } };
  },
};

const fsyncFile = process.env["FSYNC_COUNT_FILE"];
const fsyncs = (): number => (fsyncFile === undefined ? 0 : Number(readFileSync(fsyncFile).readBigUInt64LE()));

const isPostgres = process.env["BENCH_DATABASE_URL"] !== undefined;
const store = await openStore();
const engine = await startBenchEngine(counting(store), quickCalls);

async function measure(workflow: string, clients: number): Promise<void> {
  const total = 200 + clients * 30;
  const variables = { device: "r1", state: { device: "r1" } };
  const runSome = async (count: number): Promise<void> => {
    let left = count;
    const one = async (): Promise<void> => {
      while (left-- > 0) await engine.run(workflow, variables);
    };
    await Promise.all(Array.from({ length: clients }, one));
  };
  await runSome(clients * 4);
  for (const name of Object.keys(calls)) delete calls[name];
  statements.count = 0;
  const fsyncsBefore = fsyncs();
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await runSome(total);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const each = (count: number): number => Number((count / total).toFixed(2));
  const figures = {
    workflow,
    clients,
    perSecond: Math.round(total / seconds),
    cpuMs: each((user + system) / 1000),
    fsyncs: each(fsyncs() - fsyncsBefore),
    ...(isPostgres ? { statements: each(statements.count) } : {}),
    storeCalls: Object.fromEntries(Object.entries(calls).map(([name, count]) => [name, each(count)])),
  };
  console.log(JSON.stringify(figures));
}

for (const workflow of [engineChain(), adapterChain()]) {
  await engine.keep(workflow);
  for (const clients of (process.env["BENCH_CLIENTS"] ?? "1,64").split(","))
    await measure(workflow.name, Number(clients));
}
await engine.stop();
await store.close();
