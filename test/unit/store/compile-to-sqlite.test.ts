import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json.ts";
import { collectionIndexes } from "../../../src/store/indexes.ts";
import { parseFindOptions } from "../../../src/store/query/find-options.ts";
import { parseQuery, type Query } from "../../../src/store/query.ts";
import { createCollections } from "../../../src/store/sqlite/collection-tables.ts";
import { compileToSqlite, type CompiledSql } from "../../../src/store/sqlite/compile-condition.ts";
import { countStatement, findStatement, type QueriedCollection } from "../../../src/store/sqlite/find-statement.ts";
import { indexedFields } from "../../../src/store/sqlite/indexed-columns.ts";
import { sqlName, sqlText } from "../../../src/store/sql/sql-names.ts";
import { registerRegexFunction } from "../../../src/store/sqlite/regex-function.ts";
import type { FindOptions } from "../../../src/store/store.ts";

describe("queries as SQL", () => {
  let database: Database.Database;
  beforeAll(() => {
    database = new Database(":memory:");
    createCollections(database, collectionIndexes);
    registerRegexFunction(database);
  });
  afterAll(() => {
    database.close();
  });

  const collection = (name: string): QueriedCollection => ({
    name,
    indexes: collectionIndexes[name] ?? [],
    indexed: indexedFields(collectionIndexes[name] ?? []),
  });
  const plan = ({ sql, parameters }: CompiledSql): string =>
    database
      .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(parameters)
      .map(({ detail }) => detail)
      .join("; ");
  const findPlan = (name: string, query: Query, options?: FindOptions): string =>
    plan(findStatement(collection(name), parseQuery(query), parseFindOptions(options)));
  const countPlan = (name: string, query: Query): string => plan(countStatement(collection(name), parseQuery(query)));

  it.each<[string, Query, string]>([
    ["jobs", { status: "running" }, '"?jobs.status"?'],
    ["jobs", { status: { $in: ["running", "paused"] } }, '"?jobs.status"?'],
    ["jobs", { status: "running", description: { $regex: "x" } }, '"?jobs.status"?'],
    ["jobs", { name: { $regex: "^core-1" } }, '"?jobs.name"?'],
    ["jobs", { name: { $regex: "^core-1$" } }, '"?jobs.name"?'],
    ["jobs", { name: { $gte: "a", $lt: "b" } }, '"?jobs.name"?'],
    ["jobs", { "metrics.start_time": { $gt: 5 } }, '"?jobs.start_time"?'],
    ["jobs", { "parent.job": "x" }, '"?jobs.parent"?'],
    ["accounts", { username: "anna" }, '"?accounts.username"?'],
    ["roles", { provenance: "p", name: "n" }, '"?roles.provenance_name"?'],
    ["tasks", { "job._id": "x", "variables.a": 1 }, '"?tasks.job"?'],
    ["jobs", { _id: "x" }, "sqlite_autoindex_jobs_1"],
  ])("searches %s by index for %j", (name, query, index) => {
    expect(findPlan(name, query)).toMatch(new RegExp(`SEARCH ${name} USING INDEX ${index}`, "u"));
  });

  it("serves a page of a list in order from an index, without sorting", () => {
    const newest = { sort: { _id: -1 }, limit: 25 } as const;
    expect(findPlan("jobs", { status: "complete" }, newest)).not.toContain("TEMP B-TREE");
    expect(findPlan("jobs", {}, { sort: { "metrics.start_time": -1 }, limit: 25 })).not.toContain("TEMP B-TREE");
    expect(findPlan("jobs", {}, { sort: { name: 1 }, limit: 25 })).not.toContain("TEMP B-TREE");
  });

  it("finds a page from the index alone before its documents are read", () => {
    const options = { sort: { "metrics.start_time": -1 }, limit: 25 } as const;
    const find = findStatement(collection("jobs"), parseQuery({ status: "error" }), parseFindOptions(options), {
      isLate: true,
    });
    expect(plan(find)).toMatch(/SEARCH jobs USING COVERING INDEX "?jobs.status"?/u);
    expect(plan(find)).toContain("SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)");
  });

  it("counts from the index alone", () => {
    expect(countPlan("jobs", { status: "complete" })).toContain("SEARCH jobs USING COVERING INDEX");
    expect(countPlan("jobs", { status: { $ne: "complete" } })).toContain("USING COVERING INDEX");
  });

  it("calls for no function of ours where an expression is a plain text", () => {
    const plain = ["core", "core$", "^core", "^core$"].flatMap(($regex) => [
      { name: { $regex } },
      { name: { $regex, $options: "i" } },
      { description: { $regex, $options: "i" } },
    ]);
    for (const query of plain) expect(countStatement(collection("jobs"), parseQuery(query)).sql).not.toContain("regex");
    expect(countStatement(collection("jobs"), parseQuery({ name: { $regex: "co.e" } })).sql).toContain("regex");
  });

  it("binds names and values, however hostile", () => {
    const hostile = ["x'); DROP TABLE jobs; --", 'a"b', "a]b[0", "größe", "\\", "doc = doc OR 1"];
    for (const name of hostile) {
      const { sql, parameters } = compileToSqlite(
        parseQuery({ [name]: name, b: { $elemMatch: { [name]: { $in: [name, 1] } } } }),
      );
      expect(sql).not.toContain(name);
      expect(Object.values(parameters).some((value) => String(value).includes(JSON.stringify(name).slice(1, -1)))).toBe(
        true,
      );
      const table = "(SELECT json(@document) AS doc)";
      const document = JSON.stringify({ [name]: name, b: [{ [name]: name }] });
      const found = database
        .prepare(`SELECT count(*) FROM ${table} WHERE ${sql}`)
        .pluck()
        .get({ ...parameters, document });
      expect(found).toBe(1);
    }
  });

  it("quotes literals and names so that they mean themselves", () => {
    for (const text of ["", "plain", "o'brien", '"', "''; --", "a\\b", "größe 😀"]) {
      expect(
        database
          .prepare(`SELECT ${sqlText(text)}`)
          .pluck()
          .get(),
      ).toBe(text);
      const [column] = database.prepare(`SELECT 1 AS ${sqlName(text || "x")}`).columns();
      expect(column?.name).toBe(text || "x");
    }
  });

  it.each<[string, Query]>([
    ["the most conditions", { $or: Array.from({ length: 500 }, (_, index): Json => ({ "a.b.c": { $gt: index } })) }],
    ["the deepest nesting", deepest(9)],
    ["the deepest elements", elements(9)],
    ["the longest path with the most indexes", { "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.0.1.2.3": 1 }],
    ["the longest list", { a: { $in: Array.from({ length: 1000 }, (_, index) => `value ${index}`) } }],
  ])("SQLite accepts %s", (_name, query) => {
    const { sql, parameters } = countStatement(collection("jobs"), parseQuery(query));
    expect(database.prepare(sql).get(parameters)).toEqual({ total: 0 });
  });
});

function deepest(levels: number): Query {
  return levels === 0 ? { a: 1 } : { $and: [deepest(levels - 1), { b: { $gt: 1 } }] };
}

function elements(levels: number): Query {
  return levels === 0 ? { a: 1 } : { a: { $elemMatch: elements(levels - 1) } };
}
