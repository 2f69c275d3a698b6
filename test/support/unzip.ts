import { inflateRawSync } from "node:zlib";

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const endBytes = 22;

/** Texts of the files of a zip archive by path, read from its directory as any reader of archives does. */
export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(markBytes(endMark));
  if (end < 0 || end + endBytes > archive.length) throw new Error("the archive has no end");
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== entryMark) throw new Error("the directory of the archive is broken");
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + 46, at + 46 + nameBytes);
    files.set(name, contentOf(archive, at));
    at += 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

function contentOf(archive: Buffer, entry: number): string {
  const local = archive.readUInt32LE(entry + 42);
  const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(begin, begin + archive.readUInt32LE(entry + 20));
  const content = archive.readUInt16LE(entry + 10) === 8 ? inflateRawSync(packed) : packed;
  if (content.length !== archive.readUInt32LE(entry + 24)) throw new Error("a file of the archive has another size");
  return content.toString("utf8");
}

function markBytes(mark: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(mark);
  return bytes;
}
