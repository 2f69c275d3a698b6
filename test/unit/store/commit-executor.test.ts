import type { Database } from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommitExecutor } from "../../../src/store/sqlite/commit-executor.ts";
import { createCollections } from "../../../src/store/sqlite/collection-tables.ts";
import type { EncodedWrite } from "../../../src/store/commits/encode-writes.ts";
import { openForWriting } from "../../../src/store/sqlite/open-database.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/store-files.ts";

const collections = { things: [] };
const put = (id: string, size = 1): EncodedWrite => ({
  kind: "put",
  collection: "things",
  id,
  text: JSON.stringify({ x: "x".repeat(size) }),
});

const add = (count: number): EncodedWrite => ({
  kind: "add",
  collection: "things",
  id: "sum",
  text: JSON.stringify({ count }),
});

describe("a group of commits", () => {
  let folder: TemporaryFolder;
  let database: Database;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    database = openForWriting(folder.file("store.db"));
    createCollections(database, collections);
  });
  afterEach(async () => {
    database.close();
    await folder.remove();
  });
  const ids = () => database.prepare("SELECT id FROM things ORDER BY id").pluck().all();

  it("fails as a whole when the disk is full, and the next one succeeds when there is room again", () => {
    let mostPages = 60;
    const executor = new CommitExecutor(() => {
      const connection = openForWriting(folder.file("store.db"));
      connection.pragma(`max_page_count = ${mostPages}`);
      return connection;
    }, collections);
    expect(executor.run([[put("small")]])).toEqual([{ unchanged: [] }]);
    const full = { failure: "unavailable", message: "database or disk is full" };
    expect(executor.run([[put("neighbour")], [put("big", 1_000_000), put("more")]])).toEqual([full, full]);
    expect(ids()).toEqual(["small"]);
    mostPages = 10_000;
    expect(executor.run([[put("big", 1_000_000), put("more")]])).toEqual([{ unchanged: [] }]);
    expect(ids()).toEqual(["big", "more", "small"]);
    executor.close();
  });

  it("fails while another process holds the lock, and succeeds afterwards", () => {
    const executor = new CommitExecutor(() => openForWriting(folder.file("store.db")), collections);
    database.exec("BEGIN IMMEDIATE");
    expect(executor.run([[put("a")]])).toEqual([{ failure: "unavailable", message: "database is locked" }]);
    database.exec("ROLLBACK");
    expect(executor.run([[put("a")]])).toEqual([{ unchanged: [] }]);
    executor.close();
  });

  it("fails when the file cannot be opened, and succeeds when it can", () => {
    let path = folder.file("missing/store.db");
    const executor = new CommitExecutor(() => openForWriting(path), collections);
    expect(executor.run([[put("a")]])).toMatchObject([{ failure: "unavailable" }]);
    path = folder.file("store.db");
    expect(executor.run([[put("a")]])).toEqual([{ unchanged: [] }]);
    executor.close();
  });

  it("loses only the commit that is refused, after some of its writes", () => {
    const executor = new CommitExecutor(() => openForWriting(folder.file("store.db")), collections);
    const refused = { failure: "version", collection: "things", id: "sum" };
    const replace = (version: number): EncodedWrite => ({
      kind: "replace",
      collection: "things",
      id: "sum",
      text: "{}",
      version,
    });
    expect(executor.run([[put("alone"), replace(1)]])).toEqual([refused]);
    expect(ids()).toEqual([]);
    const outcomes = executor.run([
      [put("a"), add(2)],
      [put("b"), { kind: "require", collection: "things", id: "b", version: 2 }],
      [put("b"), replace(9)],
      [put("c"), add(3)],
      [add(4)],
    ]);
    const done = { unchanged: [] };
    expect(outcomes).toEqual([done, { ...refused, id: "b" }, refused, done, done]);
    expect(ids()).toEqual(["a", "c", "sum"]);
    expect(database.prepare("SELECT doc FROM things WHERE id = 'sum'").pluck().get()).toBe('{"count":9}');
    executor.close();
  });

  it("loses only the commit that is broken off between its writes", () => {
    const executor = new CommitExecutor(() => openForWriting(folder.file("store.db")), collections);
    const group = [
      [put("a1"), put("a2")],
      [put("b1"), put("b2")],
      [put("c1"), put("c2")],
    ];
    const outcomes = executor.run(group, (index) => {
      if (index === 1) throw new Error("torn");
    });
    expect(outcomes).toEqual([{ unchanged: [] }, { failure: "unexpected", message: "torn" }, { unchanged: [] }]);
    expect(ids()).toEqual(["a1", "a2", "c1", "c2"]);
    executor.close();
  });
});
