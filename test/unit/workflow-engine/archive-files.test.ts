import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archivePath, readArchive, writeArchiveFile } from "../../../src/workflow-engine/jobs/archive-files.ts";

describe("files of the archive", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "linewright-archive-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const lines = (...texts: unknown[]) =>
    async function* () {
      for (const text of texts) yield `${JSON.stringify(text)}\n`;
    };
  const read = async (path = folder) => {
    const found: unknown[] = [];
    for await (const line of readArchive(path)) found.push(line);
    return found;
  };

  it("have a name that follows from their jobs, below the day", () => {
    const path = archivePath("/a", "2026-01-02", ["j1", "j2"]);
    expect(path).toMatch(/^\/a\/2026-01-02\/[0-9a-f]{24}\.jsonl\.gz$/u);
    expect(archivePath("/a", "2026-01-02", ["j1", "j2"])).toBe(path);
    expect(archivePath("/a", "2026-01-02", ["j1j2"])).not.toBe(path);
  });

  it("are read in the order of their names, whatever the lines hold and wherever they are cut", async () => {
    const long = { text: "é😀\n".repeat(100_000) };
    await writeArchiveFile(join(folder, "2026-01-02", "b.jsonl.gz"), lines(long, { n: 2 }));
    await writeArchiveFile(join(folder, "2026-01-01", "a.jsonl.gz"), lines({ n: 0 }));
    expect(await read()).toEqual([{ n: 0 }, long, { n: 2 }]);
    // Files that are put together are one file.
    const both = Buffer.concat([gzipSync('{"n":1}\n'), gzipSync('{"n":2}\n')]);
    await writeFile(join(folder, "both.gz"), both);
    expect(await read(join(folder, "both.gz"))).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("stay as they were written first", async () => {
    const path = join(folder, "day", "a.jsonl.gz");
    await writeArchiveFile(path, lines({ n: 1 }));
    await writeArchiveFile(path, lines());
    expect(await read()).toEqual([{ n: 1 }]);
  });

  it("are not there before they are whole", async () => {
    const path = join(folder, "day", "a.jsonl.gz");
    const broken = async function* () {
      yield "{}\n";
      throw new Error("the store is away");
    };
    await expect(writeArchiveFile(path, broken)).rejects.toThrow("the store is away");
    expect(await readdir(join(folder, "day"))).toEqual([]);
    await writeArchiveFile(path, lines({ n: 1 }));
    expect(await readdir(join(folder, "day"))).toEqual(["a.jsonl.gz"]);
    expect(await read()).toEqual([{ n: 1 }]);
  });

  it("are all that is left where processes died that wrote the same", async () => {
    const path = join(folder, "day", "a.jsonl.gz");
    const died = async (process: number) => writeFile(`${path}.${process}.tmp`, "half");
    await mkdir(join(folder, "day"));
    await died(1);
    await writeArchiveFile(path, lines({ n: 1 }));
    expect(await readdir(join(folder, "day"))).toEqual(["a.jsonl.gz"]);
    // Between the file and the end of its draft.
    await died(2);
    await writeFile(join(folder, "day", "b.jsonl.gz.1.tmp"), "of another file");
    await writeArchiveFile(path, lines());
    expect(await readdir(join(folder, "day"))).toEqual(["a.jsonl.gz", "b.jsonl.gz.1.tmp"]);
  });

  it("are told from others", async () => {
    await writeFile(join(folder, "x.jsonl.gz"), "no gzip");
    await expect(read()).rejects.toThrow();
    await writeFile(join(folder, "x.jsonl.gz"), gzipSync("{}\n").subarray(0, 12));
    await expect(read()).rejects.toThrow();
  });
});
