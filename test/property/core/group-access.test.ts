import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../src/core/caller.ts";
import { accessibleDocuments, mayAccessDocument } from "../../../src/core/group-access.ts";
import type { Store } from "../../../src/store/index.ts";
import { createCurrentStore } from "../../support/current-store.ts";

const numRuns = Number(process.env["PROPERTY_RUNS"] ?? 300);
const name = fc.constantFrom("a", "b", "c", "default", "", "A", "\u{10FFFF}");
const anything = fc.oneof(name, fc.constantFrom<unknown>(null, 7, true, ["a"], ["default"], { _id: "a" }, { a: "b" }));
const groups = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.oneof({ weight: 3, arbitrary: name }, anything), { maxLength: 4 }) },
  anything,
  fc.constant(undefined),
);

describe("access to documents by their groups", () => {
  let store: Store;
  beforeAll(async () => {
    store = await createCurrentStore();
  });
  afterAll(() => store.close());

  it("is the same as a rule and as a query, whatever stands in the place of the groups", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(groups, { minLength: 1, maxLength: 6 }),
        fc.array(name, { maxLength: 3 }),
        fc.boolean(),
        async (ofDocuments, groupIds, isAdmin) => {
          run += 1;
          const caller = { accountId: "1", username: "u", isAdmin, groupIds } as unknown as Caller;
          const documents = ofDocuments.map((groups, at) => ({
            _id: `${run} ${at}`,
            name: `${run} ${at}`,
            run,
            ...(groups === undefined ? {} : { groups }),
          }));
          await store.commit(documents.map((document) => ({ kind: "insert", collection: "workflows", document })));
          const query = accessibleDocuments(caller, { run });
          const found = await store.find<{ _id: string }>("workflows", query, { sort: { _id: 1 } });
          const accessible = documents.filter((document) => mayAccessDocument(document, caller));
          expect(found.map(({ _id }) => _id)).toEqual(accessible.map(({ _id }) => _id));
          expect(await store.count("workflows", query)).toBe(accessible.length);
        },
      ),
      { numRuns },
    );
  });
});
