import type { Caller } from "../../core/caller.ts";
import type { JsonObject } from "../../core/json.ts";
import { largestPage } from "../../core/schemas.ts";
import type { DocumentFinder } from "../../store/document-finder.ts";
import type { Store } from "../../store/store.ts";
import { shownFields } from "../jobs/header-members.ts";
import { accessibleTasks } from "../jobs/job-access.ts";
import type { JobService } from "../jobs/job-service.ts";
import type { Search } from "./search-request.ts";
import { pinnedJobs, taskRows } from "./task-rows.ts";

/** What the search of tasks works on. */
export interface TaskSearchServices {
  store: Store;
  jobs: JobService;
  finder: DocumentFinder;
}

/** The page of tasks that match and that the caller may see, and the number of all that do. */
export async function findTasks(
  services: TaskSearchServices,
  search: Search,
  caller: Caller,
): Promise<{ results: JsonObject[]; total: number }> {
  const { sort, skip, limit } = search;
  const query = accessibleTasks(caller, search.query as Parameters<typeof accessibleTasks>[1]);
  const options = { sort, skip, limit, fields: shownFields(search.fields) };
  const pinned = pinnedJobs(search.query);
  if (pinned) return services.finder.find(await taskRows(services.jobs, pinned, caller), query, options);
  const [results, total] = await Promise.all([
    services.store.find("tasks", query, options),
    services.store.count("tasks", query),
  ]);
  return { results, total };
}

/** Jobs with a task that matches, in order of their ids. Of open tasks the first 1,000 that match are looked at. */
export async function jobsWithTasks(
  services: TaskSearchServices,
  search: Search,
  caller: Caller,
): Promise<readonly string[]> {
  const wanted = {
    ...search,
    sort: { "job._id": 1 as const },
    skip: 0,
    limit: largestPage,
    fields: { job: 1 as const },
  };
  const { results } = await findTasks(services, wanted, caller);
  return [...new Set(results.map(({ job }) => (job as { _id: string })._id))];
}
