import type { Caller } from "../../core/caller.ts";
import { badRequest } from "../../core/errors.ts";
import { accessibleDocuments, withoutAccess } from "../../core/group-access.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { readPage } from "../../core/page.ts";
import { largestPage } from "../../core/schemas.ts";
import { jobsOf } from "../jobs/job-access.ts";
import { expandAccounts, pathsToExpand } from "./expand-accounts.ts";
import {
  findJobPage,
  findJobs,
  jobDocuments,
  mostDocuments,
  refusedInJobs,
  withDocumentPage,
  type JobSearchServices,
} from "./job-search.ts";
import { dereferenced, presented, type Presentation } from "./presentation.ts";
import { readFields, readSearch, type Search } from "./search-request.ts";
import type { SearchOptions } from "./search-schema.ts";
import { jobStatuses } from "./status-words.ts";
import { findTaskPage, findTasks, jobsWithTasks, type TaskSearchServices } from "./task-search.ts";

/** One page of a search, and the number of all matches (decision 6). */
export interface SearchPage {
  results: JsonObject[];
  skip: number;
  limit: number;
  total: number;
}

export type SearchServices = JobSearchServices & TaskSearchServices;

/** Finding jobs, tasks and workflows (workflow-engine.md §8.6), within what the caller may see. All errors are PlatformErrors. */
export interface SearchService {
  /** Headers; documents where the fields name what only those have. */
  searchJobs(options: SearchOptions, caller: Caller): Promise<SearchPage>;
  /** Jobs in a status; `status` may be one of the words of lists, such as `active`. NOT_FOUND is none: an unknown word is BAD_REQUEST. */
  jobList(status: string, options: SearchOptions, caller: Caller): Promise<SearchPage>;
  /** Jobs that the caller started, watches, or owned a task of. */
  associatedJobs(options: SearchOptions, caller: Caller): Promise<SearchPage>;
  /** Whole jobs, or headers where the fields are theirs alone. */
  findJobs(query: JsonObject, options: SearchOptions, caller: Caller): Promise<JsonObject[]>;
  /** Whole jobs with a task that matches, in order of their ids; of `options` only page, fields and accounts count. */
  jobsOfTasks(taskQuery: JsonObject, options: SearchOptions, caller: Caller): Promise<JsonObject[]>;
  searchTasks(filter: JsonObject, options: SearchOptions, caller: Caller): Promise<SearchPage>;
  /** The first task by identifier that matches, reduced to the fields; null when there is none. */
  firstTask(query: JsonObject, fields: SearchOptions["fields"], caller: Caller): Promise<JsonObject | null>;
  /** The tasks that match, each reduced to the fields; of the options only the page counts, without limit as many as an answer may have. */
  queryTasks(
    query: JsonObject,
    reduced: { filter?: SearchOptions["fields"]; options?: Pick<SearchOptions, "skip" | "limit"> | undefined },
    caller: Caller,
  ): Promise<JsonObject[]>;
  /** Short rows of open tasks, at most 1,000. */
  briefTasks(query: JsonObject, caller: Caller): Promise<JsonObject[]>;
  searchWorkflows(options: SearchOptions, caller: Caller): Promise<SearchPage>;
  /** Documents of a list with what they name in place of its id; BAD_REQUEST names what cannot be dereferenced. */
  dereference(documents: readonly object[], presentation: Presentation, caller: Caller): Promise<JsonObject[]>;
  /** A whole document, dereferenced and reduced to the members asked for. */
  present(document: object, presentation: Presentation, caller: Caller): Promise<JsonObject>;
}

const defaultLimit = 10;
const expandPlace = (index: number) => `/body/options/expand/${index}`;
const inJobs = { defaultLimit, refused: refusedInJobs };
const briefFields = {
  name: 1,
  summary: 1,
  status: 1,
  type: 1,
  "job._id": 1,
  "job.name": 1,
  "metrics.owner": 1,
  groups: 1,
} as const;

/** Creates the search service of a node. */
export function createSearchService(services: SearchServices): SearchService {
  const { store } = services;
  const expand: Expand = (documents, names) => expandAccounts(store, documents, pathsToExpand(names, expandPlace));
  return {
    ...jobSearches(services, expand),
    ...taskSearches(services, expand),
    dereference: (documents, presentation, caller) =>
      dereferenced(store, documents as JsonObject[], presentation, caller),
    present: (document, presentation, caller) => presented(store, document as JsonObject, presentation, caller),
  };
}

type Expand = (documents: readonly JsonObject[], names: readonly string[]) => Promise<JsonObject[]>;
type JobSearches = Pick<SearchService, "searchJobs" | "jobList" | "associatedJobs" | "findJobs" | "jobsOfTasks">;
type OtherSearches = Pick<SearchService, "searchTasks" | "firstTask" | "queryTasks" | "briefTasks" | "searchWorkflows">;

function jobSearches(services: SearchServices, expand: Expand): JobSearches {
  const page = async (search: Search, caller: Caller): Promise<SearchPage> => {
    pathsToExpand(search.expand, expandPlace);
    const { results, total } = await findJobPage(services, search, caller);
    return { results: await expand(results, search.expand), skip: search.skip, limit: search.limit, total };
  };
  return {
    searchJobs: async (options, caller) => page(jobSearchOf(options), caller),
    async jobList(status, options, caller) {
      const search = jobSearchOf(options);
      return page(restricted(search, { status: { $in: [...jobStatuses(status)] } }), caller);
    },
    async associatedJobs(options, caller) {
      return page(restricted(jobSearchOf(options), jobsOf(caller)), caller);
    },
    async findJobs(query, options, caller) {
      const asked = readSearch(options, { ...inJobs, defaultLimit: largestPage }, { query, place: "/body/query" });
      const search = pageSize(options) ? asked : withDocumentPage(asked, true);
      const found = await findJobs(services, search, caller, true);
      return expand(found, asked.expand);
    },
    async jobsOfTasks(taskQuery, options, caller) {
      const search = readSearch(options, { ...inJobs, defaultLimit: mostDocuments });
      const limit = pageSize(options) === 0 ? mostDocuments : search.limit;
      if (limit > mostDocuments) throw tooManyJobs();
      const tasks = readSearch({}, { defaultLimit }, { query: taskQuery, place: "/body/task_query" });
      const jobIds = await jobsWithTasks(services, tasks, caller, search.skip + limit);
      const wanted = jobIds.slice(search.skip, search.skip + limit);
      return expand(await jobDocuments(services.jobs, wanted, caller, search.fields), search.expand);
    },
  };
}

function taskSearches(services: SearchServices, expand: Expand): OtherSearches {
  return {
    async searchTasks(filter, options, caller) {
      const search = readSearch(options, { defaultLimit }, { query: filter, place: "/body/filter" });
      pathsToExpand(search.expand, expandPlace);
      const { results, total } = await findTaskPage(services, search, caller);
      return { results: await expand(results, search.expand), skip: search.skip, limit: search.limit, total };
    },
    async firstTask(query, filter, caller) {
      const asked = readSearch({ limit: 1 }, { defaultLimit }, { query, place: "/body/query" });
      const search = { ...asked, fields: readFields(filter, "/body/filter") };
      return (await findTasks(services, search, caller))[0] ?? null;
    },
    async queryTasks(query, { filter, options = {} }, caller) {
      const asked = readSearch(options, { defaultLimit: largestPage }, { query, place: "/body/query" });
      return findTasks(services, { ...asked, fields: readFields(filter, "/body/filter") }, caller);
    },
    async briefTasks(query, caller) {
      const search = readSearch({}, { defaultLimit: largestPage }, { query, place: "/body/query" });
      return findTasks(services, { ...search, fields: briefFields }, caller);
    },
    async searchWorkflows(options, caller) {
      const { query: asked, expand: names, fields, ...page } = readSearch(options, { defaultLimit });
      const query = accessibleDocuments(caller, asked as Record<string, Json>);
      pathsToExpand(names, expandPlace);
      const asPage = { ...page, ...(fields ? { fields } : {}) };
      const { results, total } = await readPage<JsonObject>(services.store, "workflows", query, asPage);
      return { results: await expand(results.map(withoutAccess), names), skip: page.skip, limit: page.limit, total };
    },
  };
}

/** A search of jobs by pages. Limit 0 is as many as an answer may have, which of whole jobs is fewer. */
function jobSearchOf(options: SearchOptions): Search {
  const search = readSearch(options, inJobs);
  return pageSize(options) === 0 ? withDocumentPage(search, false) : search;
}

function pageSize({ limit, page }: SearchOptions): number | undefined {
  return limit ?? page?.limit;
}

function restricted(search: Search, further: JsonObject): Search {
  return { ...search, query: { $and: [search.query, further] as Json[] } };
}

function tooManyJobs(): Error {
  const message = `must be at most ${mostDocuments}: whole jobs are answered`;
  return badRequest(`limit ${message}`, [{ path: "/body/options/limit", message }]);
}
