import { openDatabases } from "../processes/databases.ts";
import { callChainTarget } from "../targets/call-chain.ts";
import type { BenchContext } from "./benchmark.ts";
import { measureTargets, reportRatios } from "./measure-targets.ts";
import { peersOf } from "./peers.ts";

const callsPerWorkflow = 10;
const callingPeers = new Set(["dbos", "bullmq"]);

/** Ten tasks that each call a function in another process, as tasks of adapters do. */
export async function measureCallChain(context: BenchContext): Promise<void> {
  const databases = openDatabases();
  try {
    const peers = await peersOf(context, ({ name }) => callingPeers.has(name), "called");
    await measureTargets(context, {
      benchmark: "call-chain",
      targets: [...context.options.stores.map(callChainTarget), ...peers],
      databases,
      describe: ({ perSecond }) => ({ tasksPerSecond: Math.round(perSecond * callsPerWorkflow) }),
    });
    await reportRatios(context, "call-chain");
  } finally {
    await databases.stop();
  }
}
