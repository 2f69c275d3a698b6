import { execFile } from "node:child_process";
import { mkdir, mkdtemp, open, rm, rmdir, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A file system of its own that can be filled up. */
export interface SmallDisk {
  /** An empty folder on it. */
  folder: string;
  /** Takes every byte that is left. Answers how many these were. */
  fill(): Promise<number>;
  /** Gives them back. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

const blockBytes = 256 * 1024;
const smallestBlockBytes = 512;

/** Mounts a file system in memory of so many megabytes. Rejects for whoever may not mount. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const root = await mkdtemp(join(tmpdir(), "linewright-disk-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", root]);
  } catch (error) {
    await rmdir(root);
    throw new Error("a small disk cannot be mounted here", { cause: error });
  }
  const folder = join(root, "data");
  await mkdir(folder);
  const ballast = join(root, "ballast");
  return {
    folder,
    fill: () => fillUp(ballast),
    free: () => rm(ballast, { force: true }),
    async remove() {
      await run("umount", ["-l", root]);
      await rmdir(root);
    },
  };
}

/** Writes until there is no room, in smaller and smaller blocks. */
async function fillUp(file: string): Promise<number> {
  const handle = await open(file, "a");
  let written = 0;
  for (let size = blockBytes; size >= smallestBlockBytes;) {
    const bytes = await writeBlock(handle, size);
    written += bytes;
    if (bytes === 0) size = Math.floor(size / 2);
  }
  await handle.close();
  return written;
}

/** Answers how many bytes found room. */
async function writeBlock(handle: FileHandle, size: number): Promise<number> {
  try {
    return (await handle.write(Buffer.alloc(size, 1))).bytesWritten;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return 0;
    throw error;
  }
}
