import type { Store } from "../../src/store/store.ts";

/** Everything a store has of jobs. */
export async function remains(store: Store) {
  const count = (collection: string) => store.count(collection, {});
  const logs = (await store.jobIds("", 1_000)).length;
  const items = (await store.workItems("", 1_000)).map(({ id }) => id);
  return { logs, items, jobs: await count("jobs"), tasks: await count("tasks"), values: await count("large_values") };
}
/** What is left when all jobs were deleted. */
export const nothing = { logs: 0, items: [], jobs: 0, tasks: 0, values: 0 };
