import type { Readable } from "node:stream";
import { archiveFiles } from "./metric-archive.ts";
import { createSignedLinks, type LinkProof, type SignedLinkOptions } from "./signed-links.ts";
import { zipOf } from "./zip.ts";

/** All figures in one file, for those who have a link to it (workflow-engine.md §8.6, prepareMetricsLogs). */
export interface MetricArchive {
  /** A link to the archive, which holds for 15 minutes on every node. */
  link(): Promise<string>;
  /** The archive as it is now. FORBIDDEN when the link is not ours or out of date. */
  open(proof: LinkProof): Promise<Readable>;
}

/** Where the archive is fetched. */
export const archivePath = "/workflow_engine/metrics/jobs/archive";

/** The archive of a store. */
export function createMetricArchive(options: SignedLinkOptions): MetricArchive {
  const links = createSignedLinks(options);
  return {
    link: () => links.sign(archivePath),
    async open(proof) {
      await links.check(archivePath, proof);
      return zipOf(await archiveFiles(options.store), options.clock.now());
    },
  };
}
