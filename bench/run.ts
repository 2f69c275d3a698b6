import { measureCallChain } from "./benchmarks/call-chain.ts";
import type { Benchmark } from "./benchmarks/benchmark.ts";
import { measureEngineChain, measureInventoryChain } from "./benchmarks/chains.ts";
import { measureGet } from "./benchmarks/get.ts";
import { measureLarge } from "./benchmarks/large.ts";
import { measureNodes } from "./benchmarks/nodes.ts";
import { measurePeers } from "./benchmarks/peers.ts";
import { measureScale } from "./benchmarks/scale.ts";
import { measureSlowDisk } from "./benchmarks/slow-disk.ts";
import { measureStatements } from "./benchmarks/statements.ts";
import { measureTasks } from "./benchmarks/tasks.ts";
import { measureWaiting } from "./benchmarks/waiting.ts";
import { readOptions } from "./options.ts";
import { createReport } from "./report.ts";

// npm run bench -- [all | peers | slow-disk | call-chain | nodes | scale | waiting | statements | inventory-chain | engine-chain | large | get | tasks …]
//   [--seconds 3] [--clients 1,16,64] [--stores sqlite,postgres] [--peers dbos,bullmq] [--jobs 100000] [--waiting 100000] [--elements 100000]

const benchmarks: Readonly<Record<string, Benchmark>> = {
  peers: measurePeers,
  "slow-disk": measureSlowDisk,
  "call-chain": measureCallChain,
  nodes: measureNodes,
  scale: measureScale,
  waiting: measureWaiting,
  statements: measureStatements,
  "inventory-chain": measureInventoryChain,
  get: measureGet,
  tasks: measureTasks,
};

/** Part of another one, or long: not part of all. */
const single: Readonly<Record<string, Benchmark>> = { "engine-chain": measureEngineChain, large: measureLarge };

// So that what was started is ended too.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const options = readOptions(process.argv.slice(2), { all: Object.keys(benchmarks), single: Object.keys(single) });
const report = await createReport();
for (const name of options.names) {
  try {
    await { ...benchmarks, ...single }[name]?.({ options, report });
  } catch (error) {
    await report.failure(name, "the whole benchmark", error);
  }
}
console.error(`\n${await report.writeTables()}`);
process.exitCode = report.failures > 0 ? 1 : 0;
