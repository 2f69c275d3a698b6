import Database from "better-sqlite3";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collectionIndexes, inspectFile, inspectSchema, isCurrent } from "../../../src/store/index.ts";
import { createSqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/store-files.ts";

describe("looking at the schema of a file", () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = folder.file("store.db");
  });
  afterEach(() => folder.remove());

  const inspect = () => inspectSchema({ kind: "sqlite", file }, createManualClock());
  const makeStore = async () => (await createSqliteStore({ file, thread: "inline" })).close();
  const change = (sql: string): void => {
    const database = new Database(file);
    database.exec(sql);
    database.close();
  };

  it("finds nothing where there is no file, and makes none", async () => {
    const state = await inspect();
    expect(state).toMatchObject({ version: 0, needed: 0, unknown: [] });
    expect(state.missing).toEqual(Object.keys(collectionIndexes));
    expect(existsSync(file)).toBe(false);
  });

  it("finds a store that was opened by this release up to date", async () => {
    await makeStore();
    const state = await inspect();
    expect(state).toEqual({
      version: state.latest,
      needed: state.latest,
      latest: state.latest,
      missing: [],
      unknown: [],
    });
    expect(isCurrent(state)).toBe(true);
  });

  it("names tables and indexes that are missing, and indexes that are no longer wanted", async () => {
    await makeStore();
    change(
      'DROP TABLE sessions; DROP INDEX "jobs.name"; CREATE INDEX "jobs.old" ON jobs (id); CREATE INDEX "my own" ON jobs (id)',
    );
    const state = await inspect();
    expect(state).toMatchObject({ missing: ["sessions", "sessions.accountId", "jobs.name"], unknown: ["jobs.old"] });
    expect(isCurrent(state)).toBe(false);
    await makeStore();
    expect(isCurrent(await inspect())).toBe(true);
  });

  it("tells a newer schema", async () => {
    await makeStore();
    change("INSERT INTO schema_version (version) VALUES (99)");
    const state = await inspect();
    expect(state).toMatchObject({ version: 99, needed: 99 });
    expect(isCurrent(state)).toBe(false);
  });

  it("changes nothing of an old file", async () => {
    change("CREATE TABLE other (id TEXT)");
    expect(await inspect()).toMatchObject({ version: 0 });
    const database = new Database(file, { readonly: true });
    expect(database.prepare("SELECT name FROM sqlite_schema").pluck().all()).toEqual(["other"]);
    database.close();
  });

  it("tells a sound file from a damaged one", async () => {
    await makeStore();
    expect(inspectFile(file).problems).toEqual([]);
    const page = 4096;
    const damaged = await open(file, "r+");
    for (let at = 20 * page; at < (await damaged.stat()).size; at += 7 * page)
      await damaged.write(Buffer.alloc(page, 0xa5), 0, page, at);
    await damaged.close();
    expect(inspectFile(file).problems).not.toEqual([]);
  });
});
