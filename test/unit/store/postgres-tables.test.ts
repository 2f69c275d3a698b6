import { Client, DatabaseError } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json.ts";
import { collectionIndexes, type Collections } from "../../../src/store/indexes.ts";
import { createCollections, indexName } from "../../../src/store/postgres/collection-tables.ts";
import { keyColumn, numberKey, textKey } from "../../../src/store/postgres/key-columns.ts";
import { safeName } from "../../../src/store/postgres/safe-name.ts";
import type { TemporaryDatabase } from "../../support/postgres-server.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";

describe.skipIf(!(await isPostgresAvailable()))("tables of collections in PostgreSQL", () => {
  let database: TemporaryDatabase;
  let client: Client;
  beforeEach(async () => {
    database = await createTemporaryDatabase();
    client = new Client(database.url);
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.remove();
  });

  const create = (collections: Collections) => createCollections(client, collections);
  const put = (document: { _id: string; [member: string]: Json }) =>
    client.query("INSERT INTO things (id, version, doc) VALUES ($1, 1, $2)", [document._id, JSON.stringify(document)]);
  const column = async (sql: string): Promise<unknown[]> => {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
    return rows.map(([value]) => value);
  };
  const indexNames = () =>
    column(
      "SELECT indexname::text FROM pg_indexes WHERE tablename = 'things' AND indexname <> 'things_pkey' ORDER BY 1",
    );
  const failure = async (promise: Promise<unknown>): Promise<DatabaseError> => {
    const error: unknown = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof DatabaseError) return error;
    throw new Error("nothing was refused");
  };

  it("are made once, and nothing is written anew where nothing changed", async () => {
    await create(collectionIndexes);
    const files = () => column("SELECT relname || ' ' || pg_relation_filenode(oid) FROM pg_class ORDER BY 1");
    const before = await files();
    const [transaction] = await column("SELECT pg_current_xact_id()::text");
    await create(collectionIndexes);
    expect(await files()).toEqual(before);
    const changed = "SELECT relname::text FROM pg_class WHERE xmin::text::bigint > ";
    expect(await column(changed + String(transaction))).toEqual([]);
  });

  it("keep documents when indexes are added, changed or dropped", async () => {
    await create({ things: [{ name: "kind", fields: ["kind"] }] });
    await put({ _id: "1", kind: "a", name: "x", size: { depth: 2 } });
    expect(await indexNames()).toEqual(["things.kind"]);

    await create({
      things: [
        { name: "kind", fields: ["kind", "name"] },
        { name: "name", fields: ["name"], isUnique: true },
        { name: "depth", fields: ["size.depth"] },
      ],
    });
    expect(await indexNames()).toEqual(["things.depth", "things.kind", "things.name"]);
    expect(await column(`SELECT ${keyColumn("size.depth")} FROM things`)).toEqual([numberKey(2)]);
    expect(await column(`SELECT ${keyColumn("name")} FROM things`)).toEqual([textKey("x")]);
    const definitions = await column("SELECT indexdef FROM pg_indexes WHERE tablename = 'things' ORDER BY indexname");
    expect(definitions[1]).toContain('("key kind" NULLS FIRST, "key name" NULLS FIRST, id)');
    expect(definitions[2]).toContain('("key name" NULLS FIRST)');

    await create({ things: [{ name: "name", fields: ["name"] }] });
    expect(await indexNames()).toEqual(["things.name"]);
    await put({ _id: "2", name: "x" });
    expect(await column("SELECT doc ->> 'name' FROM things")).toEqual(["x", "x"]);
  });

  it("leave alone what somebody else made", async () => {
    await create({ things: [{ name: "kind", fields: ["kind"] }] });
    await client.query("CREATE INDEX mine ON things (version)");
    await create({ things: [] });
    expect(await indexNames()).toEqual(["mine"]);
  });

  it("name the unique index that refuses a document, however long its name", async () => {
    const index = { name: "n".repeat(80), fields: ["name", "place"], isUnique: true };
    const other = { name: `${"n".repeat(80)}2`, fields: ["place"] };
    await create({ things: [index, other] });
    await put({ _id: "1", name: "x", place: 1 });
    await put({ _id: "2", name: "x", place: "1" });
    await put({ _id: "3", name: "x", place: null });
    await put({ _id: "4", name: "x" });
    const refused = await failure(put({ _id: "5", name: "x", place: 1 }));
    expect(refused).toMatchObject({ code: "23505", table: "things", constraint: indexName("things", index) });
    expect(await failure(put({ _id: "1" }))).toMatchObject({ code: "23505", constraint: "things_pkey" });
    expect(indexName("things", index)).not.toBe(indexName("things", other));
    await create({ things: [index, other] });
  });

  it("order keys as values are ordered", async () => {
    await create({ things: [{ name: "value", fields: ["value"] }] });
    const numbers = [-1.7976931348623157e308, -2, -1.5, -1, -5e-324, 0, 5e-324, 0.1, 1, 1.5, 2, 9, 10, 2 ** 53, 1e21];
    const texts = ["", "\u0000", "\u0000a", "\u0001", "\u0001a", "\u0002", "0", "A", "a", "a\u0000", "aa", "ÿ"];
    const high = ["\ud7ff", "\ud7ffa", "\ud83d", "\ud83da", "\ude00", "\ue000", "\ufffd", "\u{1f600}", "\u{10ffff}"];
    const values = [null, ...numbers, ...texts, ...high];
    for (const [index, value] of values.entries()) await put({ _id: String(index).padStart(3, "0"), value });
    const inOrder = values.map((_, index) => String(index).padStart(3, "0"));
    expect(await column(`SELECT id FROM things ORDER BY ${keyColumn("value")} NULLS FIRST`)).toEqual(inOrder);
    const keys = values.map((value) =>
      value === null ? null : typeof value === "number" ? numberKey(value) : textKey(value),
    );
    expect(await column(`SELECT ${keyColumn("value")} FROM things ORDER BY id`)).toEqual(keys);
  });

  it("take documents whose other members hold what PostgreSQL cannot read", async () => {
    await create({ things: [{ name: "kind", fields: ["kind"] }] });
    const document = { _id: "1", kind: "a", note: "\u0000 \ud83d \\u0000", "\u0000": ["\u0001"] };
    await put(document);
    await put({ _id: "2", kind: "a", note: "usual\n" });
    expect(await column("SELECT doc::text FROM things ORDER BY id LIMIT 1")).toEqual([JSON.stringify(document)]);
    expect(await column(`SELECT ${keyColumn("kind")} FROM things`)).toEqual([textKey("a"), textKey("a")]);
    expect(await column("SELECT readable IS NULL FROM things ORDER BY id")).toEqual([false, true]);
  });

  it("can be restored where no search path is set", async () => {
    await create({ things: [{ name: "kind", fields: ["kind"] }] });
    await client.query("SET search_path = ''");
    await client.query(`INSERT INTO public.things (id, version, doc) VALUES ('1', 1, '{"kind":"\\u0000"}')`);
    expect(await column('SELECT "key kind" FROM public.things')).toEqual([textKey("\u0000")]);
  });
});

describe("names in PostgreSQL", () => {
  it("fit, and stay different", () => {
    expect(safeName("jobs.status")).toBe("jobs.status");
    const long = [60, 61, 62, 63, 64, 65, 200].map((length) => safeName("n".repeat(length)));
    const wide = [20, 21, 22, 40].map((length) => safeName("größe".repeat(length)));
    for (const name of [...long, ...wide]) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
    expect(new Set([...long, ...wide]).size).toBe(11);
  });
});
