import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Query } from "../../../src/store/query.ts";
import type { Store, Write } from "../../../src/store/store.ts";
import {
  anyDocuments,
  anyOptions,
  anyQuery,
  patternDocuments,
  patternQuery,
  taskDocuments,
  taskOptions,
  taskQuery,
} from "../../support/store-arbitraries.ts";
import { findPlainly, type OracleOptions } from "../../support/store-oracle.ts";
import { createTemporaryPostgresStore } from "../../support/store-postgres.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";
import { isPostgresAvailable } from "../../support/temporary-database.ts";

const numRuns = Number(process.env["PROPERTY_RUNS"] ?? 2000);
const mostDocuments = 8;
const everything: OracleOptions = { sort: {}, skip: 0, limit: undefined };
const stores: [string, () => Promise<Store>][] = [["SQLite", createTemporaryStore]];
// How busy the machine is, is not what these tests are about.
if (await isPostgresAvailable())
  stores.push(["PostgreSQL", () => createTemporaryPostgresStore({ deadlineMs: 60_000 })]);

describe.each(stores)("%s answers every query as the plain reading of the language does", (_name, createStore) => {
  let store: Store;
  beforeAll(async () => {
    store = await createStore();
  });
  afterAll(() => store.close());

  const check = async (
    collection: string,
    documents: JsonObject[],
    query: Query,
    options: OracleOptions,
  ): Promise<void> => {
    const puts = documents.map((document): Write => ({ kind: "put", collection, document }));
    const removes = Array.from({ length: mostDocuments - documents.length }, (_, index): Write => ({
      kind: "remove",
      collection,
      id: `d${documents.length + index}`,
    }));
    await store.commit([...puts, ...removes]);
    const { limit, ...others } = options;
    const found = await store.find(collection, query, limit === undefined ? others : { ...others, limit });
    expect(found.map(({ _id }) => _id)).toEqual(findPlainly(documents, query, options).map(({ _id }) => _id));
    const all = findPlainly(documents, query, everything);
    expect(await store.count(collection, query)).toBe(all.length);
  };

  it("over any documents", { timeout: 60_000 + numRuns * 20 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyDocuments, anyQuery, anyOptions, (documents, query, options) =>
        check("workflow_snapshots", documents, query, options),
      ),
      { numRuns },
    );
  });

  it("over indexed fields", { timeout: 60_000 + numRuns * 20 }, async () => {
    await fc.assert(
      fc.asyncProperty(taskDocuments, taskQuery, taskOptions, (documents, query, options) =>
        check("tasks", documents, query, options),
      ),
      { numRuns },
    );
  });

  it("by expressions", { timeout: 60_000 + numRuns * 20 }, async () => {
    await fc.assert(
      fc.asyncProperty(patternDocuments, patternQuery, (documents, query) =>
        check("tasks", documents, query, everything),
      ),
      { numRuns },
    );
  });
});
