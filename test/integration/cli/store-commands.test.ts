import Database from "better-sqlite3";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linewright } from "../../support/command-line.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";
import { connect, createOperatorBench, startOn, type OperatorBench } from "./operator-bench.ts";

const hasPostgres = await isPostgresAvailable();

describe("commands on the store", () => {
  let bench: OperatorBench;
  beforeEach(async () => {
    bench = await createOperatorBench();
  });
  afterEach(() => bench.close());

  describe("migrate", () => {
    it("makes the schema, says so, and has nothing to do the next time", async () => {
      await mkdir(bench.dataDir);
      const check = await bench.migrate({ isCheck: true });
      expect(check.code).toBe(1);
      expect(check.out).toMatch(/is behind: version 0 → \d+, \d+ tables and indexes new\. Run linewright migrate\./u);
      const done = await bench.migrate();
      expect(done.code).toBe(0);
      expect(done.out).toMatch(/brought up to date: version 0 → \d+/u);
      for (const isCheck of [true, false]) {
        const again = await bench.migrate({ isCheck });
        expect(again.code).toBe(0);
        expect(again.out).toMatch(/up to date \(version \d+\)/u);
      }
      const json = await bench.migrate({ isCheck: true, isJson: true });
      expect(JSON.parse(json.out)).toMatchObject({ isCurrent: true, made: [], dropped: [] });
    });

    it("refuses the store of a newer release", async () => {
      await mkdir(bench.dataDir);
      await bench.migrate();
      const database = new Database(bench.file);
      database.exec("INSERT INTO schema_version (version) VALUES (99)");
      database.close();
      for (const isCheck of [true, false])
        await expect(bench.migrate({ isCheck })).rejects.toThrow("was written by a newer release");
    });
  });

  describe("copy-store", () => {
    it("copies a used store into a file that a platform goes on with", async () => {
      await bench.makeUsedData();
      const to = bench.folder.file("copy/linewright.db");
      const { code, out } = await bench.copy({ to });
      expect(code).toBe(0);
      expect(out).toContain("The target holds what the source holds.");
      await copyFile(`${bench.dataDir}/encryption.key`, `${dirname(to)}/encryption.key`);
      const copied = await startOn(dirname(to));
      const send = await connect(copied.url);
      const { data } = await send<{ data: { name: string; status: string }[] }>("GET", "/operations-manager/jobs");
      await copied.stop();
      expect(data).toMatchObject([{ name: "cli", status: "complete" }]);
      await expect(bench.copy({ to, resume: true })).rejects.toThrow(
        "A platform has been started on the target already.",
      );
    });

    it("refuses a source in use, a target with content and a source that is not there", async () => {
      await bench.makeUsedData();
      const platform = await startOn(bench.dataDir);
      const to = bench.folder.file("copy.db");
      await expect(bench.copy({ to })).rejects.toThrow("The source is in use by ");
      expect(existsSync(to)).toBe(false);
      expect((await bench.copy({ to, force: true })).code).toBe(0);
      await platform.stop();
      await expect(bench.copy({ to })).rejects.toThrow("the target is not empty: it has accounts");
      const from = bench.folder.file("absent.db");
      await expect(bench.copy({ from, to })).rejects.toThrow(`There is no store ${from}.`);
      expect(existsSync(from)).toBe(false);
    });

    it("ends with 1 when the target differs", async () => {
      await bench.makeUsedData();
      const to = bench.folder.file("copy.db");
      expect((await bench.copy({ to })).code).toBe(0);
      await bench.write({ kind: "put", collection: "groups", document: { _id: "0", name: "came later" } });
      const { code, out } = await bench.copy({ to, resume: true });
      expect(code).toBe(1);
      expect(out).toMatch(/groups .* differs: \d+ in the target/u);
    });

    it("goes on with a copy, and reports in figures", async () => {
      await bench.makeUsedData();
      const to = bench.folder.file("copy.db");
      expect((await bench.copy({ to })).code).toBe(0);
      const { code, out } = await bench.copy({ to, resume: true }, true);
      expect(code).toBe(0);
      const report = JSON.parse(out) as { parts: { name: string; source: object; target: object }[] };
      expect(report).toMatchObject({ isEqual: true, written: 0 });
      for (const part of report.parts) expect(part.target).toEqual(part.source);
      expect(report.parts.map(({ name }) => name)).not.toContain("nodes");
    });
  });

  describe("rebuild", () => {
    it("finds a header that its log does not say, and puts it right", async () => {
      await bench.makeUsedData();
      expect((await bench.rebuild(true)).code).toBe(0);
      const database = new Database(bench.file);
      database.exec(`UPDATE jobs SET doc = json_set(doc, '$.status', 'running')`);
      database.close();
      const dry = await bench.rebuild(true);
      expect(dry.code).toBe(1);
      expect(dry.out).toMatch(/jobs \w+ is not as its log says\n.* 1 would be written/u);
      const done = await bench.rebuild(false, true);
      expect(done.code).toBe(0);
      expect(JSON.parse(done.out)).toMatchObject({ isDryRun: false, jobs: 1, written: 1, removed: 0 });
      expect((await bench.rebuild(true)).code).toBe(0);
    });
  });

  it("are commands of the command line, with exit codes and advice", async () => {
    await mkdir(bench.dataDir);
    const copy = ["copy-store", "--from", bench.file, "--to"];
    const expectEnd = async (args: string[], code: number, text: string) => {
      const ended = await linewright(args, bench.settings);
      expect({ args, ...ended }).toMatchObject({ args, code, error: "", out: expect.stringContaining(text) });
    };
    await expectEnd(["migrate", "--check"], 1, "is behind");
    await expectEnd(["migrate"], 0, "brought up to date");
    await Promise.all([
      expectEnd(["doctor", "--json"], 0, '"failures":0'),
      expectEnd(["rebuild", "--dry-run"], 0, "0 jobs"),
      expectEnd([...copy, bench.folder.file("copy.db")], 0, "The target holds what the source holds."),
    ]);
    const refused = await linewright([...copy, bench.file], bench.settings);
    expect(refused).toMatchObject({ code: 1, error: "--from and --to name the same store.\n" });
  });

  describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
    it("migrate, copy from SQLite and back, and examine", async () => {
      const { url, remove } = await createTemporaryDatabase();
      try {
        await bench.makeUsedData();
        const key = await readFile(`${bench.dataDir}/encryption.key`, "utf8");
        const environment = { ...bench.settings, LINEWRIGHT_DATABASE_URL: url, LINEWRIGHT_ENCRYPTION_KEY: key };
        const check = await bench.migrate({ environment, isCheck: true });
        expect(check.code).toBe(1);
        const there = await bench.copy({ to: url });
        expect(there.code).toBe(0);
        expect((await bench.migrate({ environment, isCheck: true })).code).toBe(0);
        const back = await bench.copy({ from: url, to: bench.folder.file("back.db") });
        expect(back.code).toBe(0);
        const { bad, findings, out } = await bench.examine(environment);
        // The server of the tests does not wait for its disk.
        expect(bad).toMatchObject([{ check: "PostgreSQL", state: "fail", advice: "Set fsync = on." }]);
        expect(findings.some(({ message }) => /opens the \d+ stored secrets/u.test(message))).toBe(true);
        expect(check.out + there.out + back.out + out).not.toContain(new URL(url).password);
      } finally {
        await remove();
      }
    });
  });
});
