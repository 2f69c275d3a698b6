import { openDatabases } from "../processes/databases.ts";
import { linewrightTarget } from "../targets/linewright.ts";
import { expectedResult, type Target } from "../targets/target.ts";
import { inventoryChain } from "../workflows.ts";
import type { BenchContext } from "./benchmark.ts";
import { measureTargets } from "./measure-targets.ts";

/** Linewright alone: ten engine tasks, one activation. */
export async function measureEngineChain(context: BenchContext): Promise<void> {
  await measureAlone(
    context,
    "engine-chain",
    context.options.stores.map((kind) => linewrightTarget(kind)),
  );
}

/** Linewright alone: ten tasks that leave the engine for an application in the same process. */
export async function measureInventoryChain(context: BenchContext): Promise<void> {
  const targets = context.options.stores.map((kind) => withoutResult(linewrightTarget(kind, inventoryChain(10))));
  await measureAlone(context, "inventory-chain", targets);
}

/** A target whose workflow makes nothing: it is enough that it completes. */
function withoutResult(target: Target): Target {
  return {
    ...target,
    async start(parts) {
      const isComplete = (answer: unknown): boolean =>
        (answer as { data: { status: string } }).data.status === "complete";
      return {
        ...(await target.start(parts)),
        resultOf: (answer) => (isComplete(answer) ? expectedResult : undefined),
      };
    },
  };
}

async function measureAlone(context: BenchContext, benchmark: string, targets: readonly Target[]): Promise<void> {
  const databases = openDatabases();
  try {
    await measureTargets(context, { benchmark, targets, databases });
  } finally {
    await databases.stop();
  }
}
