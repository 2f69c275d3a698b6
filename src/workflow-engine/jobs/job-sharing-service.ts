import type { Caller } from "../../core/caller.ts";
import { badRequest } from "../../core/errors.ts";
import { requireGroups, requirePossible, type GroupChange, type PlaceOfGroup } from "../../core/group-change.ts";
import type { Store } from "../../store/store.ts";
import type { JobService, JobView } from "./job-service.ts";
import { personOf } from "./manual-task-service.ts";

/**
 * Who watches a job and who may see it (workflow-engine.md §7.4, §8.3). Possible in every state of a job.
 * Changes that are made at the same time all hold.
 */
export interface JobSharing {
  /** Lets people watch a job. Answers their account ids; BAD_REQUEST that names every unknown user, and nothing is written. */
  addWatchers(jobId: string, usernames: readonly string[], caller: Caller): Promise<string[]>;
  /** The caller watches the jobs from now on, or no longer. NOT_FOUND when he may not see one, and nothing is written. */
  setWatching(jobIds: readonly string[], isWatching: boolean, caller: Caller): Promise<JobView[]>;
  groupsOf(jobId: string, caller: Caller): Promise<readonly string[]>;
  /**
   * Changes the groups of a job; its child jobs, ended ones included, get the same a moment later. Answers the groups after it.
   * New groups must exist (BAD_REQUEST), the one to be taken away must be one of the job's (NOT_FOUND). Who is no
   * administrator keeps access, and may not open the job to everybody (FORBIDDEN).
   */
  changeGroups(jobId: string, change: GroupChange, caller: Caller): Promise<readonly string[]>;
  /** BAD_REQUEST that names every group that does not exist, each at its place. */
  requireGroups(groups: readonly string[], placeOf: PlaceOfGroup): Promise<void>;
}

/** Creates the service over the jobs of a node. */
export function createJobSharing(store: Store, jobs: JobService): JobSharing {
  return {
    async addWatchers(jobId, usernames, caller) {
      await jobs.view(jobId, caller);
      const watchers = await accountIds(store, usernames);
      await jobs.apply(jobId, { event: "watch", watchers, by: personOf(caller) }, caller);
      return watchers;
    },
    async setWatching(jobIds, isWatching, caller) {
      for (const jobId of jobIds) await jobs.view(jobId, caller);
      const views: JobView[] = [];
      const event = isWatching ? ("watch" as const) : ("unwatch" as const);
      for (const jobId of jobIds)
        views.push(await jobs.apply(jobId, { event, watchers: [caller.accountId], by: personOf(caller) }, caller));
      return views;
    },
    groupsOf: async (jobId, caller) => (await jobs.view(jobId, caller)).state.groups,
    async changeGroups(jobId, change, caller) {
      const { state } = await jobs.view(jobId, caller);
      await requirePossible("job", change, { source: store, listed: state.groups });
      const mustKeep = caller.isAdmin ? {} : { mustKeep: caller.groupIds };
      const event = { event: "group", ...change, by: personOf(caller), ...mustKeep } as const;
      return (await jobs.apply(jobId, event, caller)).state.groups;
    },
    requireGroups: (groups, placeOf) => requireGroups(store, groups, placeOf),
  };
}

/** Account ids in the order of the user names. Inactive accounts count as unknown. */
async function accountIds(store: Store, usernames: readonly string[]): Promise<string[]> {
  const names = [...new Set(usernames)];
  const accounts = await store.find<{ _id: string; username: string; inactive?: boolean }>(
    "accounts",
    { username: { $in: names } },
    { fields: { username: 1, inactive: 1 } },
  );
  const ids = new Map(accounts.filter(({ inactive }) => !inactive).map(({ _id, username }) => [username, _id]));
  const details = usernames.flatMap((name, index) =>
    ids.has(name) ? [] : [{ path: `/body/watchers/${index}`, message: `there is no active account ${name}` }],
  );
  if (details.length > 0) {
    const unknown = names.filter((name) => !ids.has(name));
    throw badRequest(`Unknown users: ${unknown.join(", ")}`, details);
  }
  return names.map((name) => ids.get(name) ?? "");
}
