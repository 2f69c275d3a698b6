import { inflateRawSync } from "node:zlib";
import { TaskError } from "../core/task.ts";

/** What an archive may hold at most. */
export interface ArchiveLimits {
  entries: number;
  /** Bytes of all entries together once inflated. */
  bytes: number;
}

const endSignature = 0x06_05_4b_50;
const entrySignature = 0x02_01_4b_50;
const endLength = 22;
const longestComment = 65_535;

/**
 * Refuses a zip archive (APPNOTE.TXT 6.3) that would take too much memory, before anything of it is kept. Each entry
 * is really inflated: what an archive says of its own sizes need not be true.
 */
export function requireSmallArchive(archive: Buffer, limits: ArchiveLimits): void {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  // Of several disks, which no file is.
  if (archive.readUInt16LE(end + 8) !== count) throw broken();
  if (count > limits.entries) throw tooMuch(`more than ${limits.entries} parts`);
  let place = archive.readUInt32LE(end + 16);
  let left = limits.bytes;
  const seen = new Set<number>();
  for (let entry = 0; entry < count; entry++) {
    if (place + 46 > archive.length || archive.readUInt32LE(place) !== entrySignature) throw broken();
    const start = archive.readUInt32LE(place + 42);
    // Entries that share their bytes would multiply them.
    if (seen.has(start)) throw broken();
    seen.add(start);
    const size = inflatedSize(archive, place, left);
    if (size === undefined) throw tooMuch(`more than ${limits.bytes} bytes`);
    left -= size;
    place += 46 + [28, 30, 32].reduce((sum, at) => sum + archive.readUInt16LE(place + at), 0);
  }
}

/** The last signature counts, whole or not: it is the one that whoever reads the archive finds. */
function findEnd(archive: Buffer): number {
  const earliest = Math.max(0, archive.length - endLength - longestComment);
  for (let place = archive.length - 4; place >= earliest; place--) {
    if (archive.readUInt32LE(place) !== endSignature) continue;
    if (place + endLength > archive.length) break;
    return place;
  }
  throw broken();
}

/** Size of the part that the entry of the directory tells of, once inflated; undefined when that is more than `most`. */
function inflatedSize(archive: Buffer, entry: number, most: number): number | undefined {
  const start = archive.readUInt32LE(entry + 42);
  if (start + 30 > archive.length) throw broken();
  const packed = archive.readUInt32LE(entry + 20);
  const from = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
  if (from + packed > archive.length) throw broken();
  const method = archive.readUInt16LE(entry + 10);
  // Whoever reads the archive believes the part itself, not the directory.
  if (archive.readUInt16LE(start + 8) !== method) throw broken();
  const isStored = method === 0;
  if (!isStored) return inflate(archive.subarray(from, from + packed), most);
  return packed > most ? undefined : packed;
}

function inflate(packed: Buffer, most: number): number | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) }).length;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw broken();
  }
}

function tooMuch(what: string): TaskError {
  return new TaskError(`The file is too large: unpacked it has ${what}`);
}

function broken(): TaskError {
  return new TaskError("The file is not a whole Excel file: its archive is broken");
}
