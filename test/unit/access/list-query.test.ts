import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectInMemory } from "../../../src/core/list-in-memory.ts";
import { findPage, selectCoreList, selectFilterList, type ListSelection } from "../../../src/core/list-query.ts";
import type { CoreListQuery, FilterListQuery } from "../../../src/core/schemas.ts";
import { createSqliteStore, type Store } from "../../../src/store/index.ts";

const documents = [
  { _id: "01", name: "alpha", description: "First (one)", inactive: false, rank: 3, place: { city: "Ulm" } },
  { _id: "02", name: "Beta", description: "50% of a_b", inactive: true, rank: 10 },
  { _id: "03", name: "beta", description: "first.again", inactive: false, rank: 2, place: { city: "Bern" } },
  { _id: "04", name: "gamma*", description: "", inactive: false, rank: 3, place: { city: "ulm" } },
  { _id: "05", name: "true", description: "7", inactive: true, rank: 7, place: null },
];

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "linewright-list-"));
  store = await createSqliteStore({ file: join(folder, "list.db"), thread: "inline" });
  await store.commit(documents.map((document) => ({ kind: "insert", collection: "projects", document })));
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Identifiers of the page, from the store and from memory; both must agree. */
async function idsOf(selection: ListSelection): Promise<{ ids: string[]; total: number }> {
  const page = await findPage<{ _id: string }>(store, "projects", selection);
  expect(selectInMemory(documents, selection)).toEqual(page);
  return { ids: page.results.map(({ _id }) => _id), total: page.total };
}
const core = (query: CoreListQuery) => idsOf(selectCoreList(query));
const filtered = (query: FilterListQuery) => idsOf(selectFilterList(query));

describe("lists of platform management", () => {
  it("sorts by name, pages, and counts all matches", async () => {
    expect(await core({})).toEqual({ ids: ["02", "01", "03", "04", "05"], total: 5 });
    expect(await core({ limit: 2, skip: 1 })).toEqual({ ids: ["01", "03"], total: 5 });
    expect(await core({ sort: "rank", order: -1 })).toEqual({ ids: ["02", "05", "01", "04", "03"], total: 5 });
    expect(await core({ sort: "_id", order: -1, limit: 1 })).toEqual({ ids: ["05"], total: 5 });
    expect(await core({ limit: 0 })).toEqual({ ids: [], total: 5 });
  });

  it("filters by exact text, contained text and beginning", async () => {
    expect((await core({ equals: "beta" })).ids).toEqual(["03"]);
    expect((await core({ contains: "BETA" })).ids).toEqual(["02", "03"]);
    expect((await core({ startsWith: "be" })).ids).toEqual(["03"]);
    expect((await core({ contains: "first", containsField: "description" })).ids).toEqual(["01", "03"]);
    expect((await core({ equals: "Ulm", equalsField: "place.city" })).ids).toEqual(["01"]);
    expect(await core({ multiContains: { name: "a", description: "first" } })).toEqual({ ids: ["01", "03"], total: 2 });
    expect((await core({ multiEquals: '{"name":"alpha","rank":"3"}' })).ids).toEqual(["01"]);
  });

  it("takes signs of regular expressions and of SQL for what they are", async () => {
    expect((await core({ contains: "(one)", containsField: "description" })).ids).toEqual(["01"]);
    expect((await core({ contains: ".", containsField: "description" })).ids).toEqual(["03"]);
    expect((await core({ contains: "0%", containsField: "description" })).ids).toEqual(["02"]);
    expect((await core({ startsWith: "gamma*" })).ids).toEqual(["04"]);
    expect((await core({ equals: "' OR 1=1 --" })).ids).toEqual([]);
  });

  it("compares texts of the query string with booleans and numbers too", async () => {
    expect((await core({ equals: "true", equalsField: "inactive" })).ids).toEqual(["02", "05"]);
    expect((await core({ equals: "10", equalsField: "rank" })).ids).toEqual(["02"]);
    expect((await core({ equals: "true" })).ids).toEqual(["05"]);
  });

  it("keeps or leaves out fields", async () => {
    const kept = await findPage(store, "projects", selectCoreList({ equals: "alpha", include: "_id,name" }));
    expect(kept.results).toEqual([{ _id: "01", name: "alpha" }]);
    const without = selectInMemory(documents, selectCoreList({ equals: "Beta", exclude: "description,rank" }));
    expect(without.results).toEqual([{ _id: "02", name: "Beta", inactive: true }]);
  });

  it("refuses field names that are none, and filters that are no object of texts", () => {
    for (const sort of ["$where", "a..b", "a b", "name;"]) {
      expect(() => selectCoreList({ sort })).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
    }
    for (const multiEquals of ["[1]", "{", '{"a":1}', "null"]) {
      expect(() => selectCoreList({ multiEquals })).toThrow("multiEquals must be an object");
    }
  });
});

describe("lists of the newer applications", () => {
  it("filters by field, bare or in brackets", async () => {
    expect((await filtered({ equals: { name: "beta" } })).ids).toEqual(["03"]);
    expect((await filtered({ equals: "beta", equalsField: "name" })).ids).toEqual(["03"]);
    expect((await filtered({ "starts-with": { name: "al" }, contains: { description: "FIRST" } })).ids).toEqual(["01"]);
    expect((await filtered({ "ends-with": { name: "ta" } })).ids).toEqual(["02", "03"]);
    expect((await filtered({ "not-equals": { rank: "3" } })).ids).toEqual(["02", "03", "05"]);
    expect((await filtered({ in: { name: "alpha,beta" } })).ids).toEqual(["01", "03"]);
    expect((await filtered({ "not-in": { rank: ["3", "10"] } })).ids).toEqual(["03", "05"]);
    expect((await filtered({ gte: { rank: "3" }, lt: { rank: "10" } })).ids).toEqual(["01", "04", "05"]);
    expect((await filtered({ gt: { name: "beta" } })).ids).toEqual(["04", "05"]);
  });

  it("selects in memory what the store selects, whatever is asked", async () => {
    const text = fc.constantFrom("a", "A", "be", "3", "10", "true", "null", "", "first", "*", "(", "u");
    const field = fc.constantFrom("name", "description", "inactive", "rank", "place.city");
    const comparison = fc.constantFrom(
      "equals",
      "contains",
      "starts-with",
      "ends-with",
      "not-equals",
      "gt",
      "gte",
      "lt",
      "lte",
    );
    const sort = fc.constantFrom("name", "rank", "place.city", "_id");
    const query = fc.record({ comparison, field, text, sort, order: fc.constantFrom(1 as const, -1 as const) });
    await fc.assert(
      fc.asyncProperty(query, async ({ comparison, field, text, ...rest }) => {
        await filtered({ [comparison]: { [field]: text }, ...rest });
      }),
      { numRuns: 300 },
    );
  });
});
