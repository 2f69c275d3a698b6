import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/json.ts";
import { countsOf, type Collections } from "../../../src/store/indexes.ts";
import { createPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { createSqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import type { Query } from "../../../src/store/query.ts";
import type { Store, Write } from "../../../src/store/store.ts";
import { createTemporaryFolder } from "../../support/store-files.ts";
import { findPlainly } from "../../support/store-oracle.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";

/** Opens the same place again and again. */
interface Place {
  open(collections: Collections): Promise<Store>;
  remove(): Promise<void>;
}

const uncounted: Collections = {
  things: [
    { name: "status", fields: ["status", "_id"] },
    { name: "name", fields: ["name", "_id", "status"] },
    { name: "at", fields: ["at", "_id", "status", "name"] },
  ],
};
/** What both count tables have in common is `name`. */
const counts: Readonly<Record<string, readonly string[]>> = { status: ["status", "name"], at: ["at", "name"] };
const counted: Collections = {
  things: (uncounted["things"] ?? []).map((index) => {
    const fields = counts[index.name];
    return fields ? { ...index, counts: fields } : index;
  }),
};

const places: [string, () => Promise<Place>][] = [
  [
    "SQLite",
    async () => {
      const folder = await createTemporaryFolder();
      const options = { file: folder.file("store.db"), thread: "inline" } as const;
      return { open: (collections) => createSqliteStore({ ...options, collections }), remove: () => folder.remove() };
    },
  ],
];
if (await isPostgresAvailable())
  places.push([
    "PostgreSQL",
    async () => {
      const { url, remove } = await createTemporaryDatabase();
      return { open: (collections) => createPostgresStore({ url, deadlineMs: 60_000, collections }), remove };
    },
  ]);

const numRuns = Math.ceil(Number(process.env["PROPERTY_RUNS"] ?? 2000) / 10);
const value = fc.constantFrom("Upgrade", "upgrade VLAN", "Audit", "a\0b", "", "1", "null", 1, -2.5, null);
const stored = fc.oneof(value, fc.constantFrom("up \ud800", "up \ufffd"));
const document = fc.record(
  { _id: fc.constantFrom("a", "b", "c", "d", "e"), status: stored, name: stored, at: fc.nat(9) },
  { requiredKeys: ["_id"] },
);
const write = fc.oneof(
  document.map((item): Write => ({ kind: "put", collection: "things", document: item })),
  document.map((item): Write => ({ kind: "insert", collection: "things", document: item })),
  document.map((item): Write => ({ kind: "keep", collection: "things", document: item })),
  document.map(({ _id }): Write => ({ kind: "remove", collection: "things", id: _id })),
);
const test = fc.oneof(
  value.map((item): JsonObject => ({ $in: [item] })),
  value.map((item): JsonObject => ({ $ne: item })),
  fc.constantFrom("up", "u", "", "a", "n", "no such").map((text): JsonObject => ({ $regex: text, $options: "i" })),
  fc.constantFrom("Up", "A", 0).map((least): JsonObject => ({ $gte: least })),
);
const part = fc.oneof(
  test.map((item): JsonObject => ({ status: item })),
  test.map((item): JsonObject => ({ name: item })),
  fc.nat(9).map((at): JsonObject => ({ at: { $gte: at, $lt: at + 4 } })),
  test.map((item): JsonObject => ({ $nor: [{ name: item }] })),
  // Of the second alternative, counts by status know only a part.
  fc.tuple(test, test, fc.nat(9)).map(([one, other, at]): JsonObject => {
    return { $or: [{ status: one }, { status: other, at: { $gte: at } }] };
  }),
);
const query = fc.array(part, { maxLength: 3 }).map((parts): Query => (parts.length > 0 ? { $and: parts } : {}));
const sort = fc.constantFrom({ at: -1, _id: -1 } as const, { _id: 1 } as const, { name: 1, _id: 1 } as const);

describe.each(places)("counts on %s", (_name, createPlace) => {
  let place: Place;
  let store: Store;
  beforeEach(async () => {
    place = await createPlace();
    store = await place.open(counted);
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  const check = async (asked: Query, order: Record<string, 1 | -1>): Promise<void> => {
    const documents = await store.find("things", {});
    const all = { sort: order, skip: 0, limit: undefined };
    const wanted = findPlainly(documents, asked, all).map(({ _id }) => _id);
    expect(await store.count("things", asked)).toBe(wanted.length);
    const page = await store.find("things", asked, { sort: order, limit: 2, skip: 1 });
    expect(page.map(({ _id }) => _id)).toEqual(wanted.slice(1, 3));
  };

  it("stay exact over any commits, also refused ones", { timeout: 60_000 + numRuns * 50 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(write, { maxLength: 4 }), { maxLength: 4 }),
        query,
        sort,
        async (commits, asked, order) => {
          await Promise.allSettled(commits.map((writes) => store.commit(writes)));
          await check(asked, order);
        },
      ),
      { numRuns },
    );
  });

  it("begin with the documents that are there, and again after a time without", async () => {
    const put = (id: string, status: string): Promise<void> =>
      store.commit([{ kind: "put", collection: "things", document: { _id: id, status, name: "n" } }]);
    for (const collections of [uncounted, counted, uncounted, counted]) {
      await store.close();
      store = await place.open(collections);
      await put("a", `${countsOf("things", collections["things"] ?? []).length}`);
      await put(`b${await store.count("things", {})}`, "open");
      const documents = await store.find("things", { status: "open" });
      expect(await store.count("things", { status: "open" })).toBe(documents.length);
    }
    expect(await store.count("things", {})).toBe(5);
  });
});
