import { openDatabases } from "../processes/databases.ts";
import { buildSlowFsync, measureFsyncMs } from "../processes/slow-fsync.ts";
import { linewrightTarget } from "../targets/linewright.ts";
import type { BenchContext } from "./benchmark.ts";
import { measureTargets, reportRatios } from "./measure-targets.ts";
import { peersOf } from "./peers.ts";

/** How long every synchronisation takes at least, in milliseconds: a disk without a cache of its own. */
const floorMs = 5;

/** The peers once more, on a disk that takes 5 ms for each fsync. */
export async function measureSlowDisk(context: BenchContext): Promise<void> {
  const slow = await buildSlowFsync(floorMs);
  const databases = openDatabases(slow.environment);
  try {
    const slowFsyncMs = await measureFsyncMs(slow.environment);
    if (slowFsyncMs < floorMs) throw new Error(`the library has no effect: an fsync takes ${slowFsyncMs} ms`);
    const peers = await peersOf(context, ({ canBeSlowed }) => canBeSlowed === true);
    await measureTargets(context, {
      benchmark: "slow-disk",
      targets: [...context.options.stores.map((kind) => linewrightTarget(kind)), ...peers],
      databases,
      environment: slow.environment,
      describe: () => ({ slowFsyncMs }),
    });
    await reportRatios(context, "slow-disk");
  } finally {
    await databases.stop();
    await slow.remove();
  }
}
