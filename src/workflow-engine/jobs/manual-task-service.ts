import type { Caller } from "../../core/caller.ts";
import { notFound, PlatformError } from "../../core/errors.ts";
import { findPage, type ListSelection } from "../../core/list-query.ts";
import type { Json } from "../../core/json.ts";
import type { Store } from "../../store/store.ts";
import { iterationId, parseIterationId } from "./iteration-id.ts";
import { accessibleTasks } from "./job-access.ts";
import { documentOf, type JobService, type JobView } from "./job-service.ts";
import type { Person } from "../interpreter/events.ts";
import type { CallerDirectory } from "./task-calls.ts";
import { taskDocument } from "./task-document.ts";

/** What a person decided on a manual task. */
export interface TaskData {
  finish_state?: "success" | "failure" | "error" | undefined;
  variables?: Record<string, unknown> | undefined;
}

/** Working on tasks: lists, one task, claim, release, finish (workflow-engine.md §7.3). */
export interface ManualTaskService {
  /** Rows of open tasks of jobs the caller may see. */
  list(
    selection: ListSelection,
    caller: Caller,
    further?: Record<string, Json>,
  ): Promise<{ results: object[]; total: number }>;
  /** One task by the identifier of its iteration. */
  get(taskId: string, caller: Caller): Promise<object>;
  /** `taskId`: identifier of the iteration; `username`: for whom, the caller when absent. Only administrators claim for others (FORBIDDEN). */
  claim(taskId: string, caller: Caller, username?: string): Promise<object>;
  release(taskId: string, caller: Caller): Promise<object>;
  /** `taskId`: task id or identifier of the iteration. The job document after the change. */
  finish(jobId: string, taskId: string, data: TaskData, caller: Caller): Promise<object>;
}

/** Creates the service over the jobs of a node. */
export function createManualTaskService(store: Store, jobs: JobService, callers: CallerDirectory): ManualTaskService {
  const locate = async (taskId: string, caller: Caller) => {
    const known = parseIterationId(taskId);
    const view = known && (await jobs.view(known.jobId, caller).catch(unlessNotFound));
    const task = view && findIteration(view, taskId);
    if (!known || !task) throw notFound(`Task ${taskId} not found`);
    return { jobId: known.jobId, task, view };
  };
  const shown = (view: JobView, task: string) => taskDocument(view.state, view.workflow, task);

  return {
    list: (selection, caller, further = {}) => findPage(store, "tasks", selection, accessibleTasks(caller, further)),
    async get(taskId, caller) {
      const { view, task } = await locate(taskId, caller);
      return shown(view, task);
    },
    async claim(taskId, caller, username = caller.username) {
      const owner = await ownerOf(callers, caller, username);
      const { jobId, task } = await locate(taskId, caller);
      return shown(await jobs.apply(jobId, { event: "claim", task, owner, by: personOf(caller) }, caller), task);
    },
    async release(taskId, caller) {
      const { jobId, task } = await locate(taskId, caller);
      const event = { event: "release", task, by: personOf(caller), isAdmin: caller.isAdmin } as const;
      return shown(await jobs.apply(jobId, event, caller), task);
    },
    async finish(jobId, taskId, data, caller) {
      const iteration = parseIterationId(taskId);
      const task = iteration ? (await locate(taskId, caller)).task : taskId;
      const view = await jobs.apply(
        jobId,
        {
          event: "finishManualTask",
          task,
          ...(iteration ? { iteration: iteration.iteration } : {}),
          finishState: data.finish_state ?? "success",
          variables: data.variables ?? {},
          by: personOf(caller),
        },
        caller,
      );
      return documentOf(view);
    },
  };
}

/** To the caller a task of a job that is not there is not there. */
function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof PlatformError) || error.code !== "NOT_FOUND") throw error;
}

async function ownerOf(callers: CallerDirectory, caller: Caller, username: string): Promise<Person> {
  if (username === caller.username) return personOf(caller);
  if (!caller.isAdmin) throw new PlatformError("FORBIDDEN", "A task can be claimed for oneself only");
  const owner = await callers.byUsername(username);
  if (!owner) throw notFound(`Account ${username} not found`);
  return personOf(owner);
}

/** Who the caller is, for the log of the job. */
export function personOf(caller: Caller): Person {
  return { accountId: caller.accountId, username: caller.username };
}

/** The task whose current iteration has this identifier. */
function findIteration({ state }: JobView, id: string): string | undefined {
  for (const [taskId, task] of state.tasks) {
    if (task.iteration > 0 && iterationId(state.origin._id, task.iteration) === id) return taskId;
  }
  return undefined;
}
