import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../src/core/caller.ts";
import { createSystemClock } from "../../../src/core/clock.ts";
import { mayAccess } from "../../../src/core/group-access.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { createDocumentFinder, type DocumentFinder, type Store, type Write } from "../../../src/store/index.ts";
import { createSearchService, type SearchService } from "../../../src/workflow-engine/index.ts";
import { accessText, participantsText } from "../../../src/workflow-engine/jobs/job-access.ts";
import type { JobService } from "../../../src/workflow-engine/jobs/job-service.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { anyDocuments, anyOptions, anyQuery } from "../../support/store-arbitraries.ts";
import { findPlainly } from "../../support/store-oracle.ts";

const numRuns = Number(process.env["PROPERTY_RUNS"] ?? 300);
const mostJobs = 8;
const groupIds = ["g1", "g2", "g3"];
const people = ["p1", "p2"];
const names = ["vlan", "backup", "Vlan add"];
const statuses = ["running", "complete", "error"];

/** A header as it is stored, with who may see it and who takes part in it. */
const header = fc.record({
  name: fc.constantFrom(...names),
  status: fc.constantFrom(...statuses),
  start: fc.integer({ min: 0, max: 3 }),
  groups: fc.subarray(groupIds),
  people: fc.subarray(people),
});
const headers = fc.array(header, { minLength: 1, maxLength: mostJobs });

const operators = fc.oneof(
  fc.constantFrom(...names, ...statuses).map((value): Json => value),
  fc.subarray([...names, ...statuses]).map((values): Json => ({ $in: values })),
  fc.constantFrom(...names).map((value): Json => ({ $ne: value })),
  fc.constantFrom("vlan", "^b", "l.n", "e$").map((pattern): Json => ({ $regex: pattern, $options: "i" })),
  fc.integer({ min: 0, max: 3 }).map((value): Json => ({ $gte: value })),
  fc.boolean().map((value): Json => ({ $exists: value })),
);
const field = fc
  .tuple(fc.constantFrom("name", "status", "metrics.start_time", "groups", "_id", "end"), operators)
  .map(([path, test]): JsonObject => ({ [path]: test }));
const query = fc.oneof(
  fc.constant<JsonObject>({}),
  field,
  fc
    .tuple(fc.constantFrom("$and", "$or", "$nor"), fc.array(field, { minLength: 1, maxLength: 3 }))
    .map(([name, parts]): JsonObject => ({ [name]: parts })),
);
const sort = fc.constantFrom({}, { name: 1 }, { status: -1, name: 1 }, { "metrics.start_time": -1 }, { _id: -1 });
const page = fc.record({ sort, skip: fc.integer({ min: 0, max: 3 }), limit: fc.integer({ min: 0, max: 4 }) });
const person = fc.record({
  accountId: fc.constantFrom(...people),
  groupIds: fc.subarray(groupIds),
  isAdmin: fc.boolean(),
});

describe("a search", () => {
  let store: Store;
  let finder: DocumentFinder;
  let search: SearchService;

  beforeAll(async () => {
    store = await createCurrentStore();
    finder = createDocumentFinder(createSystemClock(), 60_000);
    // Headers are all that these searches read.
    search = createSearchService({ store, finder, jobs: {} as JobService });
  });
  afterAll(async () => {
    await finder.close();
    await store.close();
  });

  const put = async (documents: readonly JsonObject[]) => {
    const removed = Array.from({ length: mostJobs }, (_, index): Write => ({
      kind: "remove",
      collection: "jobs",
      id: `j${index}`,
    }));
    const puts = documents.map((document): Write => ({ kind: "put", collection: "jobs", document }));
    await store.commit([...removed.slice(documents.length), ...puts]);
  };

  it(
    "finds what a plain filter finds among the jobs that the caller may see",
    { timeout: 60_000 + numRuns * 50 },
    async () => {
      await fc.assert(
        fc.asyncProperty(headers, query, page, person, async (jobs, asked, options, who) => {
          const caller = { ...who, username: who.accountId } as unknown as Caller;
          const shown = jobs.map(({ start, people: _people, ...job }, index) => ({
            _id: `j${index}`,
            ...job,
            metrics: { start_time: start },
          }));
          await put(
            shown.map((job, index) => ({
              ...job,
              access: accessText(job.groups),
              participants: participantsText(jobs[index]?.people ?? []),
            })),
          );
          const visible = shown.filter(({ groups }) => mayAccess(groups, caller));
          const own = visible.filter(({ _id }) => jobs[Number(_id.slice(1))]?.people.includes(who.accountId));
          const expectedOf = (documents: JsonObject[]) => ({
            results: findPlainly(documents, asked, { ...options, limit: options.limit || undefined }),
            skip: options.skip,
            limit: options.limit || 1000,
            total: findPlainly(documents, asked, { sort: {}, skip: 0, limit: undefined }).length,
          });
          expect(await search.searchJobs({ query: asked, ...options }, caller)).toEqual(expectedOf(visible));
          expect(await search.associatedJobs({ filter: asked, ...options }, caller)).toEqual(expectedOf(own));
          const open = visible.filter(({ status }) => status !== "complete");
          expect(await search.jobList("active", { filter: asked, ...options }, caller)).toEqual(expectedOf(open));
        }),
        { numRuns },
      );
    },
  );

  it(
    "among documents that are not stored is what a store would answer",
    { timeout: 60_000 + numRuns * 50 },
    async () => {
      await fc.assert(
        fc.asyncProperty(anyDocuments, anyQuery, anyOptions, async (documents, asked, { limit, ...options }) => {
          const found = await finder.find(documents, asked, { ...options, ...(limit === undefined ? {} : { limit }) });
          expect(found.results).toEqual(findPlainly(documents, asked, { ...options, limit }));
          expect(found.total).toBe(findPlainly(documents, asked, { sort: {}, skip: 0, limit: undefined }).length);
        }),
        { numRuns },
      );
    },
  );
});
