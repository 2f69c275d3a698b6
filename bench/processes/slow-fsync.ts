import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export type Environment = Readonly<Record<string, string>>;

/** A library that slows the synchronisation of files down, or counts them, in processes started with `environment`. */
export interface SlowFsync {
  environment: Environment;
  /** Synchronisations so far, of all these processes together. */
  count(): Promise<number>;
  remove(): Promise<void>;
}

/** Compiles the library with `cc`. `floorMs`: how long an fsync takes at least; 0 only counts. */
export async function buildSlowFsync(floorMs: number): Promise<SlowFsync> {
  const folder = await mkdtemp(join(tmpdir(), "linewright-fsync-"));
  const library = join(folder, "slow-fsync.so");
  const counter = join(folder, "count");
  const source = fileURLToPath(new URL("slow-fsync.c", import.meta.url));
  await promisify(execFile)("cc", ["-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"]);
  await writeFile(counter, Buffer.alloc(8));
  // The database may run as another user.
  for (const [path, mode] of [
    [folder, 0o755],
    [library, 0o755],
    [counter, 0o666],
  ] as const)
    await chmod(path, mode);
  return {
    environment: {
      LD_PRELOAD: library,
      FSYNC_FLOOR_US: String(floorMs * 1_000),
      FSYNC_COUNT_FILE: counter,
    },
    count: async () => Number((await readFile(counter)).readBigUInt64LE()),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const probe = `
const { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } = require("node:fs");
const folder = mkdtempSync(require("node:path").join(require("node:os").tmpdir(), "linewright-probe-"));
const file = openSync(folder + "/probe", "w");
const times = [];
for (let n = 0; n < 101; n++) {
  const startedAt = performance.now();
  writeSync(file, Buffer.alloc(4096), 0, 4096, n * 4096);
  fdatasyncSync(file);
  times.push(performance.now() - startedAt);
}
closeSync(file);
rmSync(folder, { recursive: true });
console.log(times.sort((a, b) => a - b)[50]);
`;

/** Median time of a write of 4 kB and its synchronisation in the folder for temporary files, in milliseconds. */
export async function measureFsyncMs(environment: Environment = {}): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", probe], {
    env: { ...process.env, ...environment },
  });
  return Number(Number(stdout).toFixed(2));
}
