import type { Caller } from "../../core/caller.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { JobService, JobView } from "../jobs/job-service.ts";
import { LargeValueEncoder } from "../jobs/large-value-encoder.ts";
import { rootOf } from "../jobs/large-parts.ts";
import { taskRow } from "../jobs/projections.ts";
import { shortening } from "../jobs/shortened-values.ts";
import { unlessNotFound } from "./job-search.ts";

/** Jobs that one query may pin to be answered over all their tasks. */
const mostPinnedJobs = 100;

/**
 * The jobs that a query of tasks names, where every match must be of one of them: `job._id` equal to one, or `$in`
 * at most 100, at the top of the query or in a part of its `$and`. Undefined where it names none.
 */
export function pinnedJobs(query: JsonObject): readonly string[] | undefined {
  const own = jobsNamed(query["job._id"]);
  if (own) return own;
  const { $and: parts } = query;
  if (!Array.isArray(parts)) return undefined;
  for (const part of parts) {
    const named = isJsonObject(part) ? pinnedJobs(part) : undefined;
    if (named) return named;
  }
  return undefined;
}

function jobsNamed(value: Json | undefined): string[] | undefined {
  const named = isJsonObject(value) ? (value["$in"] ?? value["$eq"]) : value;
  const list = Array.isArray(named) ? named : [named];
  const isNamed = list.length <= mostPinnedJobs && list.every((item) => typeof item === "string");
  return isNamed ? [...new Set(list)] : undefined;
}

/**
 * Rows of all tasks that ran in these jobs, as far as the caller may see the jobs: the newest iteration of each,
 * with markers for large values just as stored rows have them, so that the rows of many jobs fit into memory.
 */
export async function taskRows(jobs: JobService, jobIds: readonly string[], caller: Caller): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  for (const jobId of jobIds) {
    const view = await jobs.view(jobId, caller).catch(unlessNotFound);
    if (view) rows.push(...rowsOf(view));
  }
  return rows;
}

const nothingStored = { referenceTo: () => undefined, has: () => false };

function rowsOf({ state, workflow }: JobView): JsonObject[] {
  const shorten = shortening(new LargeValueEncoder({ root: rootOf(state.origin), ...nothingStored }));
  return [...state.tasks]
    .filter(([, { iteration }]) => iteration > 0)
    .map(([taskId]) => taskRow(state, workflow, taskId, shorten) as JsonObject);
}
