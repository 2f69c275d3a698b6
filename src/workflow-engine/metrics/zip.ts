import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { ArchiveFile } from "./metric-archive.ts";

/** The files as one zip archive, made while it is read. `at`: when it is made, milliseconds since the epoch. */
export function zipOf(files: readonly ArchiveFile[], at: number): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on("error", (error: Error) => output.destroy(error));
  for (const { path, content } of files) {
    zip.addReadStreamLazy(path, { mtime: new Date(at) }, (callback) => callback(null, Readable.from(content())));
  }
  zip.end();
  return output;
}
