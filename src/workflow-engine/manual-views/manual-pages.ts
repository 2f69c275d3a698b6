import type { Caller } from "../../core/caller.ts";
import { badRequest } from "../../core/errors.ts";
import { pageAddress } from "../../core/manual-page.ts";
import type {
  ManualPage,
  ManualPageOpeners,
  ManualPages,
  ManualTask,
  ManualTaskController,
  OpenManualPage,
} from "../../core/manual-view.ts";
import { taskState } from "../interpreter/job-state.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import { iterationId } from "../jobs/iteration-id.ts";
import { isForPeople } from "../jobs/job-access.ts";
import type { JobService } from "../jobs/job-service.ts";
import { mergedDocument } from "../jobs/job-views.ts";
import type { LocatedTask } from "../jobs/locate-task.ts";
import type { ManualTaskService } from "../jobs/manual-task-service.ts";
import { shownOwner } from "../jobs/task-document.ts";
import { engineViewOpeners } from "./engine-views.ts";
import { hindranceOf } from "./hindrance.ts";
import { taskControllerSource } from "./task-controller-source.ts";

/** What opening and finishing pages works with. */
export interface ManualPageParts {
  jobs: JobService;
  manualTasks: ManualTaskService;
  /** The pages of other applications. */
  further: ManualPageOpeners;
}

/** Creates the pages of manual tasks (workflow-engine.md §7.3.5; decision 8). */
export function createManualPages({ jobs, manualTasks, further }: ManualPageParts): ManualPages {
  const byPath = new Map(
    Object.entries({ ...engineViewOpeners, ...further }).map(([path, open]) => [normalPath(path), open]),
  );
  const openPage = (task: ManualTask, caller: Caller): Promise<ManualPage> | ManualPage | undefined => {
    const open: OpenManualPage | undefined = byPath.get(normalPath(task.task.view));
    const readJob = async (jobId: string) => mergedDocument(await jobs.view(jobId, caller));
    return open?.({ ...task, caller, readJob });
  };
  const find = async (place: { job: string; task: string }, caller: Caller) => {
    const located = await manualTasks.locate({ jobId: place.job, taskId: place.task }, caller);
    return { located, task: manualTaskOf(located, place.task) };
  };

  return {
    async open(place, caller, path) {
      const { located, task } = await find(place, caller);
      if (path !== undefined) requirePage(task, path, "/query/task");
      const page = await openPage(task, caller);
      return { controller: controllerOf(task, page, hindranceOf(located, caller)), page };
    },
    async finish(path, { job_id, task_id, finish_state, variables }, caller) {
      const { task } = await find({ job: job_id, task: task_id }, caller);
      requirePage(task, path, "/body/task_id");
      const job = await manualTasks.finish(job_id, task_id, { finish_state, variables }, caller);
      return { job, taskId: task.task.taskId };
    },
  };
}

/** Paths are told apart as routes are: without regard to case and trailing slashes. */
function normalPath(path: string): string {
  return path.trim().toLowerCase().replace(/\/+$/u, "");
}

function requirePage({ task }: ManualTask, path: string, at: string): void {
  if (normalPath(task.view) === normalPath(path)) return;
  const message = task.view === "" ? "has no page" : `is worked on the page ${task.view}`;
  throw badRequest(`Task ${task.taskId} ${message}`, [{ path: at, message }]);
}

function manualTaskOf({ view, task: taskId }: LocatedTask, named: string): ManualTask {
  const { state, workflow } = view;
  const definition = workflow.task(taskId);
  const { _id, name } = state.origin;
  if (!definition || !isForPeople(definition)) throw badRequest(`Task ${named} is not worked by a person`);
  const task = taskState(state, taskId);
  const { incoming = {}, outgoing = {}, error = null, iteration } = task;
  return {
    job: { _id, name, description: state.description ?? "", status: state.status },
    task: {
      _id: iteration === 0 ? taskId : iterationId(_id, iteration),
      taskId,
      ...namesOf(definition),
      status: task.status,
      owner: shownOwner(task, definition.type),
      ...(task.finishState === undefined ? {} : { finish_state: task.finishState }),
    },
    incoming,
    outgoing,
    error,
    exits: new Set(workflow.edgesFrom(taskId).map((edge) => edge.state)),
  };
}

function namesOf({ name, summary = "", description = "", view = "" }: WorkflowTask) {
  return { name, summary, description, view };
}

function controllerOf(task: ManualTask, page: ManualPage | undefined, hindrance: string | null): ManualTaskController {
  return {
    job: task.job,
    task: task.task,
    variables: { incoming: task.incoming, outgoing: task.outgoing },
    error: task.error,
    view: task.task.view,
    page: page ? shownPage(task, page) : null,
    hindrance,
    TaskController: taskControllerSource(task),
  };
}

function shownPage({ job, task }: ManualTask, { title, choices, data, download }: ManualPage) {
  const address = `${pageAddress(task.view, { job: job._id, task: task._id })}&download=true`;
  return { title, choices, data, ...(download ? { download: address } : {}) };
}
