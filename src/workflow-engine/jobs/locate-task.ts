import type { Caller } from "../../core/caller.ts";
import { notFound, PlatformError } from "../../core/errors.ts";
import { iterationId, parseIterationId } from "./iteration-id.ts";
import { mayAccessTask } from "./job-access.ts";
import type { JobService, JobView } from "./job-service.ts";

/** Where to look for a task: the identifier of its current iteration, or its task id together with its job. */
export interface TaskAddress {
  jobId?: string;
  taskId: string;
}

/** A task that was found. */
export interface LocatedTask {
  jobId: string;
  /** Task id. */
  task: string;
  /** The iteration that was named; absent where the task id was. */
  iteration?: number;
  view: JobView;
}

/** The task, or NOT_FOUND when it does not exist or the caller may see the task or its job not. */
export async function locateTask(
  jobs: Pick<JobService, "view">,
  { jobId, taskId }: TaskAddress,
  caller: Caller,
): Promise<LocatedTask> {
  const known = parseIterationId(taskId);
  const owner = jobId ?? known?.jobId;
  const missing = () => taskNotFound(taskId);
  if (owner === undefined || (known && known.jobId !== owner)) throw missing();
  // Who names the job is told of the job; to others a task of a job that is not there is not there.
  const view = await jobs.view(owner, caller).catch((error: unknown) => {
    throw jobId === undefined && isNotFound(error) ? missing() : error;
  });
  const task = known ? findIteration(view, taskId) : taskId;
  if (task === undefined || !view.state.tasks.has(task)) throw missing();
  if (!mayAccessTask(view.workflow.task(task), caller)) throw missing();
  return { jobId: owner, task, ...(known ? { iteration: known.iteration } : {}), view };
}

/** Is it told that something does not exist, or may not be seen? */
export function isNotFound(error: unknown): boolean {
  return error instanceof PlatformError && error.code === "NOT_FOUND";
}

/** The task does not exist, or the caller may not see it. */
export function taskNotFound(taskId: string): PlatformError {
  return notFound(`Task ${taskId} not found`);
}

/** The task whose current iteration has this identifier. */
function findIteration({ state }: JobView, id: string): string | undefined {
  for (const [taskId, task] of state.tasks) {
    if (task.iteration > 0 && iterationId(state.origin._id, task.iteration) === id) return taskId;
  }
  return undefined;
}
