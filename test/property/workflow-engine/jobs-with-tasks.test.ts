import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../src/core/caller.ts";
import { createSystemClock } from "../../../src/core/clock.ts";
import { createDocumentFinder, type DocumentFinder, type Store, type Write } from "../../../src/store/index.ts";
import type { JobService } from "../../../src/workflow-engine/jobs/job-service.ts";
import { jobsWithTasks } from "../../../src/workflow-engine/search/task-search.ts";
import { createCurrentStore } from "../../support/current-store.ts";

const numRuns = Number(process.env["PROPERTY_RUNS"] ?? 50);
const names = ["approve", "check"];
const mostTasks = 230;
const administrator = { isAdmin: true } as Caller;

/** How many tasks of each name a job has: more than are looked at together, now and then. */
const tasksOfJob = fc.tuple(...names.map(() => fc.oneof(fc.nat(3), fc.integer({ min: 90, max: mostTasks / 2 }))));
const tasksOfJobs = fc.array(tasksOfJob, { minLength: 1, maxLength: 6 });

describe("jobs with a task that matches", () => {
  let store: Store;
  let finder: DocumentFinder;

  beforeAll(async () => {
    store = await createCurrentStore();
    finder = createDocumentFinder(createSystemClock(), 60_000);
  });
  afterAll(async () => {
    await finder.close();
    await store.close();
  });

  const put = async (counts: readonly number[][]) => {
    const rows = counts.flatMap((ofJob, job) =>
      ofJob.flatMap((count, name) =>
        Array.from({ length: count }, (_, n) => ({
          _id: `${n}-${name}-${job}`,
          name: names[name],
          job: { _id: `j${job}` },
        })),
      ),
    );
    const old = await store.find<{ _id: string }>("tasks", {}, { fields: { _id: 1 } });
    const removals = old.map(({ _id }): Write => ({ kind: "remove", collection: "tasks", id: _id }));
    await store.commit(removals);
    await store.commit(rows.map((document): Write => ({ kind: "put", collection: "tasks", document })));
  };

  it("are the first by identifier, each once, however many tasks they have", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        tasksOfJobs,
        fc.nat(names.length - 1),
        fc.integer({ min: 1, max: 7 }),
        async (counts, name, most) => {
          await put(counts);
          const search = {
            query: { name: names[name] ?? "" },
            sort: {},
            skip: 0,
            limit: 1,
            fields: undefined,
            expand: [],
          };
          const found = await jobsWithTasks({ store, finder, jobs: {} as JobService }, search, administrator, most);
          const expected = counts.flatMap((ofJob, job) => ((ofJob[name] ?? 0) > 0 ? [`j${job}`] : []));
          expect(found.slice(0, most)).toEqual(expected.slice(0, most));
        },
      ),
      { numRuns },
    );
  });
});
