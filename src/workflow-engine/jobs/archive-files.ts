import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, mkdir, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { ArchiveLine } from "./archive-lines.ts";

const suffix = ".jsonl.gz";

/** Where the trees of some roots go: a folder for the UTC day they ended on, and a name that follows from what they are. */
export function archivePath(folder: string, day: string, roots: readonly string[]): string {
  const name = createHash("sha256").update(roots.join("\n")).digest("hex").slice(0, 24);
  return join(folder, day, `${name}${suffix}`);
}

/**
 * Writes lines into a new compressed file that is on disk when the promise resolves. A file that is there was
 * written whole by an earlier attempt: it stays, and nothing is written. No draft is left of those who died meanwhile.
 */
export async function writeArchiveFile(path: string, lines: () => AsyncIterable<string>): Promise<void> {
  const folder = join(path, "..");
  if (!(await isThere(path))) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeNew(path, lines);
  }
  await removeDrafts(path);
  // The day's folder may be new as well; who wrote the file may have died before this.
  for (const each of [folder, join(folder, "..")]) await syncFolder(each);
}

/** Each attempt has a folder of its own: processes on several machines may well have the same number. */
async function writeNew(path: string, lines: () => AsyncIterable<string>): Promise<void> {
  const attempt = await mkdtemp(`${path}.`);
  try {
    const draft = join(attempt, "draft");
    await pipeline(Readable.from(lines()), createGzip(), createWriteStream(draft, { mode: 0o600, flush: true }));
    // A link never replaces: of two that write the same file the first stays.
    await link(draft, path);
  } catch (error) {
    await rm(attempt, { recursive: true, force: true });
    // Who was faster has taken the draft of this one away as well.
    if (!(await isThere(path))) throw error;
  }
}

async function removeDrafts(path: string): Promise<void> {
  const folder = join(path, "..");
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(`${basename(path)}.`));
  for (const name of drafts) await rm(join(folder, name), { recursive: true, force: true });
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The lines of an archive file, or of all archive files in a folder, in the order of their paths. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveLine> {
  for (const file of await archiveFilesOf(path)) {
    const unpacked = createGunzip();
    // What is wrong with the file ends the reading of it.
    const source = createReadStream(file).on("error", (error) => unpacked.destroy(error));
    for await (const line of linesOf(source.pipe(unpacked).setEncoding("utf8"))) yield JSON.parse(line) as ArchiveLine;
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const text of texts) {
    const [first = "", ...others] = text.split("\n");
    begun.push(first);
    for (const next of others) {
      yield begun.join("");
      begun = [next];
    }
  }
  const last = begun.join("");
  if (last !== "") yield last;
}

async function archiveFilesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => name.endsWith(suffix))
    .toSorted()
    .map((name) => join(path, name));
}
