import type { Caller } from "../../core/caller.ts";
import { restrictingGroups } from "../../core/group-access.ts";
import type { JobService, JobView } from "./job-service.ts";
import type { StartOptions } from "./job-start.ts";
import type { JobSharing } from "./job-sharing-service.ts";

/** A start as somebody asks for it. */
export interface StartRequest {
  /** Name of the workflow. */
  workflow: string;
  options?: StartOptions | undefined;
  /** How long the answer may wait for the job to come to rest, in milliseconds. */
  wait?: number | undefined;
}

const groupsPlace = "/body/options/groups";

/**
 * Starts a workflow as asked. BAD_REQUEST names every group that does not exist, and nothing is started. The group
 * `default` of old clients stands for everybody.
 */
export async function startAsAsked(
  { jobs, sharing }: { jobs: JobService; sharing: JobSharing },
  { workflow, options = {}, wait }: StartRequest,
  caller: Caller,
): Promise<JobView> {
  const { groups = [] } = options;
  const restricting = restrictingGroups(options.groups);
  await sharing.requireGroups(restricting, (group) => `${groupsPlace}/${groups.indexOf(group)}`);
  return jobs.start(workflow, { ...options, groups: restricting }, caller, wait);
}
