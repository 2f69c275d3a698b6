import { openDatabases } from "../processes/databases.ts";
import { linewrightTarget } from "../targets/linewright.ts";
import { arePeersInstalled, peers, peerTarget, type Peer } from "../targets/peers.ts";
import type { Target } from "../targets/target.ts";
import type { BenchContext } from "./benchmark.ts";
import { measureTargets, reportRatios } from "./measure-targets.ts";

/** The same workflow of ten steps, on Linewright and its peers, on the same database servers. */
export async function measurePeers(context: BenchContext): Promise<void> {
  const databases = openDatabases();
  try {
    const targets = [...context.options.stores.map((kind) => linewrightTarget(kind)), ...(await peersOf(context))];
    await measureTargets(context, { benchmark: "peers", targets, databases });
    await reportRatios(context, "peers");
  } finally {
    await databases.stop();
  }
}

/** The peers that were asked for, as far as they are installed. `suits` says which can take part. */
export async function peersOf(
  { options, report }: BenchContext,
  suits: (peer: Peer) => boolean = () => true,
  steps: "here" | "called" = "here",
): Promise<Target[]> {
  if (!arePeersInstalled()) {
    await report.failure("peers", "all", new Error("the peers are not installed: npm run bench:install"));
    return [];
  }
  const isWanted = ({ name }: Peer): boolean => options.peers?.includes(name) ?? true;
  return peers.filter((peer) => isWanted(peer) && suits(peer)).map((peer) => peerTarget(peer, steps));
}
