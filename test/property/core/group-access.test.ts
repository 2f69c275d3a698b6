import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../src/core/caller.ts";
import { accessibleDocuments, mayAccessDocument, withAccess, withoutAccess } from "../../../src/core/group-access.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTemporaryPostgresStore } from "../../support/store-postgres.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";
import { isPostgresAvailable } from "../../support/temporary-database.ts";

const numRuns = Number(process.env["PROPERTY_RUNS"] ?? 300);
const name = fc.constantFrom("a", "b", "c", "default", "", "A", "*", "?", '"a"', "\n", "a\nb", "a\0", "\u{10FFFF}");
const anything = fc.oneof(name, fc.constantFrom<unknown>(null, 7, true, ["a"], ["default"], { _id: "a" }, { a: "b" }));
const groups = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.oneof({ weight: 3, arbitrary: name }, anything), { maxLength: 4 }) },
  anything,
  fc.constant(undefined),
  // More than an index takes.
  name.map((one) => [...Array.from({ length: 200 }, (_, at) => `group ${at} of a long list`), one]),
);
/** How a document came into the store: by this build, from a file with a member of that name, or by an earlier build. */
const origin = fc.constantFrom("written", "written", "with a member of its own", "of an earlier build");

interface GroupedDocument {
  _id: string;
  name: string;
  run: number;
  groups?: unknown;
}

const kinds: [string, () => Promise<Store>][] = [["SQLite", () => createTemporaryStore()]];
if (await isPostgresAvailable()) kinds.push(["PostgreSQL", () => createTemporaryPostgresStore()]);

describe.each(kinds)("access to documents by their groups on %s", (_kind, createStore) => {
  let store: Store;
  beforeAll(async () => {
    store = await createStore();
  });
  afterAll(() => store.close());

  const put = async (documents: readonly GroupedDocument[]) =>
    store.commit(documents.map((document) => ({ kind: "put", collection: "workflows", document })));

  it("is the same as a rule and as a query, whatever stands in the place of the groups", async () => {
    let run = 0;
    const callers = fc.array(name, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(groups, origin), { minLength: 1, maxLength: 6 }),
        callers,
        fc.boolean(),
        fc.boolean(),
        async (ofDocuments, groupIds, isAdmin, isAll) => {
          run += 1;
          const caller = { accountId: "1", username: "u", isAdmin, groupIds } as unknown as Caller;
          const documents = ofDocuments.map(([groups, origin], at) => {
            const _id = String(at);
            const document: GroupedDocument = { _id, name: _id, run, ...(groups === undefined ? {} : { groups }) };
            if (origin === "of an earlier build") return document;
            return withAccess(origin === "written" ? document : { ...document, access: '\n"a"\n' });
          });
          await put(documents);
          // Without a further condition, counts alone may tell.
          const query = accessibleDocuments(caller, isAll ? {} : { run });
          const stored = isAll ? await store.find<GroupedDocument>("workflows", {}) : documents;
          const accessible = stored.filter((document) => mayAccessDocument(document, caller)).map(({ _id }) => _id);
          const found = await store.find<{ _id: string }>("workflows", query, { sort: { name: 1 } });
          expect(found.map(({ _id }) => _id)).toEqual(accessible.sort());
          expect(await store.count("workflows", query)).toBe(accessible.length);
        },
      ),
      { numRuns },
    );
  });
});

describe("the access text of a document", () => {
  it("is not shown, and one that the document brings counts for nothing", () => {
    fc.assert(
      fc.property(groups, fc.jsonValue(), (groups, access) => {
        const document = { name: "n", groups };
        expect(withAccess({ ...document, access })).toEqual(withAccess(document));
        expect(withoutAccess(withAccess({ ...document, access }))).toEqual(document);
      }),
    );
  });
});
