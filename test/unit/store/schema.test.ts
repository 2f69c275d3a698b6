import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCollections } from "../../../src/store/sqlite/collection-tables.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/store-files.ts";

describe("schema of a SQLite store", () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = folder.file("store.db");
  });
  afterEach(() => folder.remove());

  const withDatabase = <Result>(use: (database: Database.Database) => Result): Result => {
    const database = new Database(file);
    try {
      return use(database);
    } finally {
      database.close();
    }
  };
  const indexNames = () =>
    withDatabase((database) =>
      database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'things.%' ORDER BY name")
        .pluck()
        .all(),
    );

  it("applies each step once and in order", () => {
    withDatabase((database) => {
      migrate(database, ["CREATE TABLE one (a)"]);
      migrate(database, ["CREATE TABLE one (a)", "ALTER TABLE one ADD COLUMN b"]);
      migrate(database, ["CREATE TABLE one (a)", "ALTER TABLE one ADD COLUMN b"]);
      expect(database.prepare("SELECT name FROM pragma_table_info('one')").pluck().all()).toEqual(["a", "b"]);
      expect(database.prepare("SELECT max(version) FROM schema_version").pluck().get()).toBe(2);
    });
  });

  it("leaves nothing of a step that fails", () => {
    withDatabase((database) => {
      expect(() => migrate(database, ["CREATE TABLE one (a)", "CREATE TABLE two (a); CREATE TABLE one (a)"])).toThrow(
        "already exists",
      );
      const tables = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .pluck()
        .all();
      expect(tables).toEqual(["one", "schema_version"]);
      migrate(database, ["CREATE TABLE one (a)", "CREATE TABLE two (a)"]);
    });
  });

  it("refuses a database of a newer release and does not touch it", async () => {
    await (await createSqliteStore({ file, thread: "inline" })).close();
    withDatabase((database) => database.exec("INSERT INTO schema_version VALUES (99)"));
    await expect(createSqliteStore({ file, thread: "inline" })).rejects.toThrow(
      /written by a newer release: its schema has version 99/u,
    );
  });

  it("keeps documents when it is opened again, and when indexes are added, changed or dropped", async () => {
    const open = (indexes: { name: string; fields: string[]; isUnique?: boolean }[]) =>
      createSqliteStore({ file, thread: "inline", collections: { things: indexes } });
    const first = await open([{ name: "kind", fields: ["kind"] }]);
    await first.commit([{ kind: "put", collection: "things", document: { _id: "1", kind: "a", name: "x" } }]);
    await first.close();
    expect(indexNames()).toEqual(["things.kind"]);

    const second = await open([
      { name: "kind", fields: ["kind", "name"] },
      { name: "name", fields: ["name"], isUnique: true },
    ]);
    expect(await second.find("things", { kind: "a" })).toEqual([{ _id: "1", kind: "a", name: "x" }]);
    const duplicate = second.commit([{ kind: "put", collection: "things", document: { _id: "2", name: "x" } }]);
    await expect(duplicate).rejects.toMatchObject({ name: "DuplicateKeyError", field: "name" });
    await second.close();
    expect(indexNames()).toEqual(["things.kind", "things.name"]);

    const third = await open([]);
    expect(await third.version("things", "1")).toBe(1);
    await third.close();
    expect(indexNames()).toEqual([]);
  });

  it("creates nothing of the collections when one of them cannot be", () => {
    withDatabase((database) => {
      createCollections(database, { things: [] });
      database.exec(`INSERT INTO things VALUES ('1', 1, '{"name":"x"}'), ('2', 1, '{"name":"x"}')`);
      const unique = { fresh: [], things: [{ name: "name", fields: ["name"], isUnique: true }] };
      expect(() => createCollections(database, unique)).toThrow("UNIQUE constraint failed");
      expect(database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'fresh'").pluck().get()).toBe(0);
    });
  });
});
