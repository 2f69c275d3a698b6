import type { Caller } from "../../core/caller.ts";
import type { JsonObject } from "../../core/json.ts";
import { readPage } from "../../core/page.ts";
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

/** The page of tasks that match and that the caller may see. */
export async function findTasks(services: TaskSearchServices, search: Search, caller: Caller): Promise<JsonObject[]> {
  const { query, options, pinned } = reading(search, caller);
  if (!pinned) return services.store.find("tasks", query, options);
  const rows = await taskRows(services.jobs, pinned, caller);
  return (await services.finder.find(rows, query, options)).results;
}

/** The same with the number of all tasks that match. */
export async function findTaskPage(
  services: TaskSearchServices,
  search: Search,
  caller: Caller,
): Promise<{ results: JsonObject[]; total: number }> {
  const { query, options, pinned } = reading(search, caller);
  if (pinned) return services.finder.find(await taskRows(services.jobs, pinned, caller), query, options);
  return readPage(services.store, "tasks", query, options);
}

function reading(search: Search, caller: Caller) {
  const { sort, skip, limit, fields } = search;
  return {
    query: accessibleTasks(caller, search.query as Parameters<typeof accessibleTasks>[1]),
    options: { sort, skip, limit, fields: shownFields(fields) },
    /** Jobs whose tasks are read from their logs, ended ones among them. */
    pinned: pinnedJobs(search.query),
  };
}

/** Tasks that are looked at together for their jobs, at least. */
const tasksAtOnce = 100;

/** The first jobs with a task that matches, in order of their ids, at most `most`. The first 1,000 tasks that match are looked at. */
export async function jobsWithTasks(
  services: TaskSearchServices,
  search: Search,
  caller: Caller,
  most: number,
): Promise<readonly string[]> {
  const wanted = { ...search, sort: { "job._id": 1 as const }, fields: { job: 1 as const } };
  const jobIds = new Set<string>();
  let query = search.query;
  for (let seen = 0; seen < largestPage && jobIds.size < most;) {
    const limit = Math.min(largestPage - seen, Math.max(tasksAtOnce, most - jobIds.size));
    const tasks = await findTasks(services, { ...wanted, query, skip: 0, limit }, caller);
    for (const { job } of tasks) jobIds.add((job as { _id: string })._id);
    if (tasks.length < limit) break;
    seen += limit;
    // By the job, not by a number of tasks: some may have closed meanwhile.
    query = { $and: [search.query, { "job._id": { $gt: [...jobIds].at(-1) ?? "" } }] };
  }
  return [...jobIds];
}
