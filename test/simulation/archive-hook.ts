import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import type { Reach } from "./points.ts";

type FileCall = (...parameters: unknown[]) => Promise<unknown>;

const steps = ["mkdir", "mkdtemp", "link", "readdir", "rm"] as const;

/** Tells of every step by which a file of the archive comes into being. Other files have no such steps. */
export function hookArchiveFiles(reach: Reach): void {
  const promises = fs.promises as unknown as Record<(typeof steps)[number], FileCall>;
  for (const name of steps) {
    const call = promises[name];
    promises[name] = async (...parameters) => {
      reach(`before ${name} of the archive`);
      const result = await call(...parameters);
      reach(`after ${name} of the archive`);
      return result;
    };
  }
  const { createWriteStream } = fs;
  fs.createWriteStream = (...parameters: Parameters<typeof createWriteStream>) => {
    reach("before a draft of the archive");
    const stream = createWriteStream(...parameters);
    stream.once("open", () => reach("after opening a draft of the archive"));
    return stream;
  };
  syncBuiltinESMExports();
}
