import { randomUUID } from "node:crypto";
import { rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { failure, messageOf, ok, warning, type Finding } from "./finding.ts";

const megabyte = 1_000_000;
const warnBelowBytes = 1_000 * megabyte;
const failBelowBytes = 100 * megabyte;

/** The data folder: there, writable, nobody else's business, on a disk with room. */
export async function checkDataFolder(dataDir: string): Promise<Finding[]> {
  const folder = resolve(dataDir);
  const found = await stat(folder).catch(() => undefined);
  if (!found) {
    const finding = warning(
      "data folder",
      `${folder} does not exist`,
      "The first start makes it. Otherwise correct LINEWRIGHT_DATA_DIR.",
    );
    return [finding, await checkDisk(folder)];
  }
  if (!found.isDirectory()) return [failure("data folder", `${folder} is no folder`, "Correct LINEWRIGHT_DATA_DIR.")];
  return [await checkWriting(folder), judgeMode(folder, found.mode), await checkDisk(folder)];
}

/** A file is written and removed: permissions alone do not tell of quotas and read-only disks. */
async function checkWriting(folder: string): Promise<Finding> {
  const file = join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(file, "written by linewright doctor", { flag: "wx", mode: 0o600 });
    return ok("data folder", `${folder} can be written`);
  } catch (error) {
    return failure(
      "data folder",
      `${folder} cannot be written: ${messageOf(error)}`,
      "Give it to the account that runs the platform, or correct LINEWRIGHT_DATA_DIR.",
    );
  } finally {
    await rm(file, { force: true });
  }
}

/** @param mode as `stat` tells it */
export function judgeMode(folder: string, mode: number): Finding {
  const text = (mode & 0o777).toString(8).padStart(4, "0");
  if ((mode & 0o077) === 0) return ok("folder mode", text);
  return warning("folder mode", `${text}: other accounts of the machine may look into it`, `chmod 700 ${folder}`);
}

async function checkDisk(folder: string): Promise<Finding> {
  for (let at = folder; ; at = dirname(at)) {
    const space = await statfs(at).catch(() => undefined);
    if (space) return judgeSpace(space.bavail * space.bsize);
    if (at === dirname(at)) return warning("disk", "free space cannot be read", "Look at the disk with df.");
  }
}

/** @param freeBytes what the account may still use */
export function judgeSpace(freeBytes: number): Finding {
  const text = `${Math.floor(freeBytes / megabyte).toLocaleString("en")} MB free`;
  const advice = "Make room: a full disk stops all work until there is some again.";
  if (freeBytes < failBelowBytes) return failure("disk", text, advice);
  return freeBytes < warnBelowBytes ? warning("disk", text, advice) : ok("disk", text);
}
