import { keptNames } from "../jobs/job-document.ts";
import type { Caller } from "../../core/caller.ts";
import { badRequest, PlatformError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { readPage } from "../../core/page.ts";
import { parseFindOptions } from "../../store/query/find-options.ts";
import type { Store } from "../../store/store.ts";
import { isInclusion, shownFields } from "../jobs/header-members.ts";
import { accessibleJobs } from "../jobs/job-access.ts";
import { documentOf, type JobService } from "../jobs/job-service.ts";
import type { Search } from "./search-request.ts";

/** Whole jobs of one answer, at most: each is read from its log. */
export const mostDocuments = 100;

/** Members of job documents that headers do not hold: they are read from the log, job by job. */
const documentMembers: ReadonlySet<string> = new Set([
  "tasks",
  "transitions",
  "variables",
  "decorators",
  ...keptNames,
  "mocked",
  "encodingVersion",
]);

/** What is wrong with searching jobs by a member; undefined where nothing is. */
export function refusedInJobs(root: string): string | undefined {
  if (!documentMembers.has(root)) return undefined;
  return `Jobs are searched by the members of their headers, and ${root} is none of them`;
}

/** What the search of jobs works on. */
export interface JobSearchServices {
  store: Store;
  jobs: JobService;
}

/**
 * The page of jobs that match and that the caller may see. Without fields: headers, or with `isWhole` whole
 * documents. Fields that headers do not hold make documents of them. BAD_REQUEST when more than 100 documents are asked for.
 */
export async function findJobs(
  services: JobSearchServices,
  search: Search,
  caller: Caller,
  isWhole: boolean,
): Promise<JsonObject[]> {
  const { query, options, toDocuments } = reading(services, search, caller, isWhole);
  return toDocuments(await services.store.find<JobRow>("jobs", query, options));
}

/** The same without `isWhole`, and with the number of all jobs that match and that the caller may see. */
export async function findJobPage(
  services: JobSearchServices,
  search: Search,
  caller: Caller,
): Promise<{ results: JsonObject[]; total: number }> {
  const { query, options, toDocuments } = reading(services, search, caller, false);
  const { results, total } = await readPage<JobRow>(services.store, "jobs", query, options);
  return { results: await toDocuments(results), total };
}

/** A stored job, with the members asked for. */
type JobRow = JsonObject & { _id: string };

function reading({ jobs }: JobSearchServices, search: Search, caller: Caller, isWhole: boolean) {
  const { sort, skip, limit, fields } = search;
  const query = accessibleJobs(caller, search.query as Parameters<typeof accessibleJobs>[1]);
  const isOfDocuments = needsDocuments(fields, isWhole);
  if (isOfDocuments && limit > mostDocuments) throw tooManyDocuments();
  const rowFields = isOfDocuments ? { _id: 1 as const } : shownFields(fields);
  return {
    query,
    options: { sort, skip, limit, fields: rowFields },
    async toDocuments(rows: JobRow[]): Promise<JsonObject[]> {
      if (!isOfDocuments) return rows;
      const jobIds = rows.map(({ _id }) => _id);
      return jobDocuments(jobs, jobIds, caller, fields);
    },
  };
}

/** The search with the largest page that it may have, where whole documents are asked for and the client named no page size. */
export function withDocumentPage(search: Search, isWhole: boolean): Search {
  return needsDocuments(search.fields, isWhole) ? { ...search, limit: mostDocuments } : search;
}

/** Jobs read at a time. */
const readAtOnce = 8;

/** Whole jobs in the order of their ids; those that are gone, or that the caller may not see, are left out. */
export async function jobDocuments(
  jobs: JobService,
  jobIds: readonly string[],
  caller: Caller,
  fields: Search["fields"],
): Promise<JsonObject[]> {
  const { project } = parseFindOptions(fields ? { fields } : {});
  const documents: JsonObject[] = [];
  for (let at = 0; at < jobIds.length; at += readAtOnce) {
    const views = await Promise.all(
      jobIds.slice(at, at + readAtOnce).map((jobId) => jobs.view(jobId, caller).catch(unlessNotFound)),
    );
    for (const view of views) if (view) documents.push(project(documentOf(view) as JsonObject));
  }
  return documents;
}

/** A job that is not there, to this caller, is no error of a search. */
export function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof PlatformError) || error.code !== "NOT_FOUND") throw error;
}

function needsDocuments(fields: Search["fields"], isWhole: boolean): boolean {
  if (!fields || !isInclusion(fields)) return isWhole;
  return Object.keys(fields).some((path) => documentMembers.has(path.split(".", 1)[0] ?? ""));
}

function tooManyDocuments(): PlatformError {
  const message = `must be at most ${mostDocuments} where whole jobs are asked for; fields that headers hold allow more`;
  return badRequest(`limit ${message}`, [{ path: "/body/options/limit", message }]);
}
