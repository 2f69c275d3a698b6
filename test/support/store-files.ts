import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own for one test's database files. */
export interface TemporaryFolder {
  file(name: string): string;
  remove(): Promise<void>;
}

export async function createTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "linewright-store-"));
  return {
    file: (name) => join(path, name),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
