import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { collectionIndexes } from "../../../src/store/indexes.ts";
import { createCollections } from "../../../src/store/postgres/collection-tables.ts";
import { countStatement, findStatement, type QueryStatement } from "../../../src/store/postgres/find-statement.ts";
import { keyColumn, textKey } from "../../../src/store/postgres/key-columns.ts";
import { parseFindOptions } from "../../../src/store/query/find-options.ts";
import { parseQuery, type Query } from "../../../src/store/query.ts";
import type { FindOptions } from "../../../src/store/store.ts";
import type { TemporaryDatabase } from "../../support/postgres-server.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";

const jobs = 4000;

describe.skipIf(!(await isPostgresAvailable()))("queries as SQL of PostgreSQL", () => {
  let database: TemporaryDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTemporaryDatabase();
    client = new Client(database.url);
    await client.connect();
    // As servers have it that do not compile statements.
    await client.query("SET jit = off");
    await createCollections(client, collectionIndexes);
    const headers = Array.from({ length: jobs }, (_, index): JsonObject => ({
      _id: `j${String(index).padStart(6, "0")}`,
      name: `workflow ${index % 100}`,
      description: `number ${index}`,
      status: index % 50 === 0 ? "running" : "complete",
      metrics: { start_time: index },
    }));
    await insert("jobs", headers);
    await insert(
      "workflows",
      headers.map((_, index) => ({ _id: String(index), name: `workflow ${index}` })),
    );
    await client.query("VACUUM ANALYZE");
  });
  afterAll(async () => {
    await client.end();
    await database.remove();
  });

  const insert = (collection: string, documents: readonly JsonObject[]) =>
    client.query(
      `INSERT INTO ${collection} (id, version, doc) SELECT id, 1, doc::json FROM unnest($1::text[], $2::text[]) AS d (id, doc)`,
      [documents.map(({ _id }) => _id), documents.map((document) => JSON.stringify(document))],
    );
  const collection = (name: string) => ({ name, indexes: collectionIndexes[name] ?? [] });
  const find = (name: string, query: Query, options?: FindOptions): QueryStatement =>
    findStatement(collection(name), parseQuery(query), parseFindOptions(options));
  const count = (name: string, query: Query): QueryStatement => countStatement(collection(name), parseQuery(query));
  const plan = async ({ text, values }: { text: string; values: unknown[] }): Promise<string> => {
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  const total = async (query: Query): Promise<unknown> => {
    const { text, values } = count("workflow_snapshots", query);
    const { rows } = await client.query<{ total: string }>(text, values);
    return Number(rows[0]?.total);
  };

  it.each<[Query, FindOptions, string]>([
    [{ status: "running" }, {}, '"jobs.status"'],
    [{ status: { $in: ["running", "paused"] } }, {}, '"jobs.status"'],
    [{ status: "running", description: { $type: "string" } }, {}, '"jobs.status"'],
    [{ status: "paused" }, { sort: { _id: -1 }, limit: 25 }, '"jobs.status"'],
    [{ name: "workflow 7" }, {}, '"jobs.name"'],
    [{ name: { $gte: "workflow 7", $lt: "workflow 8" } }, {}, '"jobs.name"'],
    [{ name: { $regex: "^workflow 77" } }, {}, '"jobs.name"'],
    [{ "metrics.start_time": { $gt: 5, $lte: 25 } }, {}, '"jobs.start_time"'],
    [{ "parent.job": "x" }, {}, '"jobs.parent"'],
    [{ _id: "x" }, {}, "jobs_pkey"],
    [{ _id: { $in: ["x", "y"] } }, {}, "jobs_pkey"],
  ])("searches jobs by index for %j %j", async (query, options, index) => {
    const text = await plan(find("jobs", query, options));
    expect(text).toMatch(new RegExp(`(?:Index Scan|Index Scan Backward) (?:using|on) ${index}`, "u"));
    expect(text).toContain("Index Cond");
  });

  it("finds a document by a unique field through its index", async () => {
    const column = keyColumn("name");
    const text = `SELECT version, doc FROM workflows WHERE ${column} = ANY ($1::text[])`;
    const values = [[textKey("workflow 7")]];
    expect(await plan({ text, values })).toContain('Index Scan using "workflows.name"');
    expect((await client.query(text, values)).rowCount).toBe(1);
  });

  it.each<[Query, FindOptions]>([
    [{}, { sort: { _id: -1 }, limit: 25 }],
    [{}, { sort: { "metrics.start_time": -1 }, limit: 25 }],
    [{}, { sort: { name: 1, _id: 1 }, limit: 25 }],
    [{ status: "running" }, { sort: { _id: -1 }, limit: 25 }],
    [{ status: "complete" }, { sort: { _id: 1 }, limit: 25, skip: 25 }],
  ])("serves a page of %j %j in order from an index, without sorting", async (query, options) => {
    const text = await plan(find("jobs", query, options));
    expect(text).toMatch(/Index Scan(?: Backward)? using/u);
    expect(text).not.toContain("Sort");
  });

  it("counts from the index alone", async () => {
    expect(await plan(count("jobs", { status: "running" }))).toContain('Index Only Scan using "jobs.status"');
    expect(await plan(count("jobs", { status: "running", _id: { $gt: "j" } }))).toContain("Index Only Scan");
  });

  it("binds names and values, however hostile", async () => {
    const hostile = [
      "x'); DROP TABLE jobs; --",
      'a"b',
      "a]b[0",
      "{a,b}",
      "größe",
      "\\",
      "x$1",
      "NULL",
      "x\u0000y",
      "\u0001",
    ];
    for (const name of hostile) {
      const document = { _id: "hostile", [name]: name, b: [{ [name]: name }] };
      const query = { [name]: name, b: { $elemMatch: { [name]: { $in: [name, 1, "NULL"] } } }, c: { $ne: [name] } };
      const { text } = count("workflow_snapshots", query);
      if (name.length > 2 && name !== "NULL") expect(text).not.toContain(name);
      await client.query("DELETE FROM workflow_snapshots");
      await insert("workflow_snapshots", [document]);
      expect([name, await total(query)]).toEqual([name, 1]);
      expect(await total({ ...query, b: { $elemMatch: { [name]: { $in: [`${name} `] } } } })).toBe(0);
    }
  });

  it("compares identifiers with texts that none can be", async () => {
    await client.query("DELETE FROM workflow_snapshots");
    await insert("workflow_snapshots", [{ _id: "x" }, { _id: "x\u0001" }, { _id: "xy" }]);
    expect(await total({ _id: "x\u0000" })).toBe(0);
    expect(await total({ _id: { $in: ["x\u0000", "x"] } })).toBe(1);
    for (const operator of ["$gt", "$gte"]) expect(await total({ _id: { [operator]: "x\u0000y" } })).toBe(2);
    for (const operator of ["$lt", "$lte"]) expect(await total({ _id: { [operator]: "x\u0000y" } })).toBe(1);
    expect(await total({ _id: { $gt: 1 } })).toBe(0);
    expect(await total({ _id: null })).toBe(0);
  });

  it.each<[string, Query]>([
    ["the most conditions", { $or: Array.from({ length: 500 }, (_, index): Json => ({ "a.b.c": { $gt: index } })) }],
    ["the deepest nesting", deepest(9)],
    ["the deepest elements", elements(9)],
    ["the longest path with the most indexes", { "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.0.1.2.3": 1 }],
    ["the longest list", { a: { $in: Array.from({ length: 1000 }, (_, index) => `value ${index}`) } }],
  ])("PostgreSQL accepts %s", async (_name, query) => {
    expect(await total(query)).toBe(0);
  });
});

function deepest(levels: number): Query {
  return levels === 0 ? { a: 1 } : { $and: [deepest(levels - 1), { b: { $gt: 1 } }] };
}

function elements(levels: number): Query {
  return levels === 0 ? { a: 1 } : { a: { $elemMatch: elements(levels - 1) } };
}
