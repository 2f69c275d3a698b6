import type { Caller } from "../../core/caller.ts";
import { badRequest, notFound, PlatformError } from "../../core/errors.ts";
import { mayAccess } from "../../core/group-access.ts";
import { findPage, type ListSelection } from "../../core/list-query.ts";
import type { Json } from "../../core/json.ts";
import type { Store } from "../../store/store.ts";
import { shownMembers } from "./header-members.ts";
import { iterationId } from "./iteration-id.ts";
import { accessibleTasks, mayAccessTask } from "./job-access.ts";
import { documentOf, type JobService } from "./job-service.ts";
import type { JobEvent, Person } from "../interpreter/events.ts";
import { isNotFound, locateTask, taskNotFound, type LocatedTask, type TaskAddress } from "./locate-task.ts";
import { decisionOf, type TaskData } from "./manual-decision.ts";
import type { CallerDirectory } from "./task-calls.ts";
import { taskDocument } from "./task-document.ts";

/** To whom a task is assigned: an account by its identifier or by its user name. */
export interface Assignee {
  userId?: string | undefined;
  username?: string | undefined;
}

/**
 * Working on tasks: lists, one task, claim, assign, release, finish (workflow-engine.md §7.3). To who may not
 * see a task, because of the groups of its job or its own, it does not exist (NOT_FOUND).
 */
export interface ManualTaskService {
  /** Rows of open tasks that the caller may see. */
  list(
    selection: ListSelection,
    caller: Caller,
    further?: Record<string, Json>,
  ): Promise<{ results: object[]; total: number }>;
  /** One task by the identifier of its iteration. */
  get(taskId: string, caller: Caller): Promise<object>;
  /** A task by the identifier of its iteration, or by its task id and its job. */
  locate(address: TaskAddress, caller: Caller): Promise<LocatedTask>;
  /** `taskId`: identifier of the iteration; `username`: for whom, the caller when absent. Only administrators claim for others (FORBIDDEN). */
  claim(taskId: string, caller: Caller, username?: string): Promise<object>;
  /** Gives the task to an account that may see it, else BAD_REQUEST. What somebody else has claimed only an administrator gives away (CONFLICT). */
  assign(taskId: string, to: Assignee, caller: Caller): Promise<object>;
  release(taskId: string, caller: Caller): Promise<object>;
  /** `taskId`: task id or identifier of the iteration. The job document after the change. */
  finish(jobId: string, taskId: string, data: TaskData, caller: Caller): Promise<object>;
}

/** Creates the service over the jobs of a node. */
export function createManualTaskService(store: Store, jobs: JobService, callers: CallerDirectory): ManualTaskService {
  const locate = (address: TaskAddress, caller: Caller) => locateTask(jobs, address, caller);
  const apply = async ({ jobId, task, iteration }: LocatedTask, event: JobEvent, caller: Caller): Promise<object> => {
    // The job may have gone out of sight since the task was found; who asked named the task.
    const { state, workflow } = await jobs.apply(jobId, event, caller).catch((error: unknown) => {
      throw isNotFound(error) && iteration !== undefined ? taskNotFound(iterationId(jobId, iteration)) : error;
    });
    return taskDocument(state, workflow, task);
  };

  return {
    list: (selection, caller, further = {}) =>
      findPage(store, "tasks", shownMembers(selection), accessibleTasks(caller, further)),
    async get(taskId, caller) {
      const { view, task } = await locate({ taskId }, caller);
      return taskDocument(view.state, view.workflow, task);
    },
    locate,
    async claim(taskId, caller, username = caller.username) {
      const owner = await claimant(callers, caller, username);
      const located = await locate({ taskId }, caller);
      requireSight(located, owner, "/body/user");
      const event = { event: "claim", ...place(located), owner: personOf(owner), by: personOf(caller) } as const;
      return apply(located, event, caller);
    },
    async assign(taskId, to, caller) {
      const located = await locate({ taskId }, caller);
      const owner = await assignee(callers, to);
      requireSight(located, owner, to.userId === undefined ? "/body/username" : "/body/userId");
      const asked = { owner: personOf(owner), by: personOf(caller), isAdmin: caller.isAdmin };
      return apply(located, { event: "assign", ...place(located), ...asked }, caller);
    },
    async release(taskId, caller) {
      const located = await locate({ taskId }, caller);
      const event = { event: "release", ...place(located), by: personOf(caller), isAdmin: caller.isAdmin } as const;
      return apply(located, event, caller);
    },
    async finish(jobId, taskId, data, caller) {
      const located = await locate({ jobId, taskId }, caller);
      const decision = decisionOf(located, data);
      const asked = { by: personOf(caller), isAdmin: caller.isAdmin };
      return documentOf(
        await jobs.apply(jobId, { event: "finishManualTask", ...place(located), ...decision, ...asked }, caller),
      );
    },
  };
}

/** What of a located task an event names: an iteration that is over makes it void. */
function place({ task, iteration }: LocatedTask): { task: string; iteration?: number } {
  return iteration === undefined ? { task } : { task, iteration };
}

async function claimant(callers: CallerDirectory, caller: Caller, username: string): Promise<Caller> {
  if (username === caller.username) return caller;
  if (!caller.isAdmin) throw new PlatformError("FORBIDDEN", "A task can be claimed for oneself only");
  const owner = await callers.byUsername(username);
  if (!owner) throw notFound(`Account ${username} not found`);
  return owner;
}

async function assignee(callers: CallerDirectory, { userId, username }: Assignee): Promise<Caller> {
  if ((userId === undefined) === (username === undefined)) {
    throw badRequest("Either userId or username must be given", [
      { path: "/body", message: "must have either userId or username" },
    ]);
  }
  const owner = await (userId === undefined ? callers.byUsername(username ?? "") : callers.byAccountId(userId));
  if (!owner) throw notFound(`Account ${userId ?? username} not found`);
  return owner;
}

/** Nobody gets a task that he cannot find. */
function requireSight({ task, view }: LocatedTask, owner: Caller, path: string): void {
  if (mayAccess(view.state.groups, owner) && mayAccessTask(view.workflow.task(task), owner)) return;
  const message = "is in none of the groups that may see the task";
  throw badRequest(`Account ${owner.username} ${message}`, [{ path, message }]);
}

/** Who the caller is, for the log of the job. */
export function personOf(caller: Caller): Person {
  return { accountId: caller.accountId, username: caller.username };
}
