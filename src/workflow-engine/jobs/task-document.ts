import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import { isForPerson } from "../interpreter/wait-any.ts";
import { taskState, type JobState, type TaskState } from "../interpreter/job-state.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import { iterationId } from "./iteration-id.ts";
import type { Shorten } from "./shortened-values.ts";

/** How much of a task its document shows. */
export interface TaskExtent {
  /** How values of users are shown; undefined: as they are. */
  shorten?: Shorten | undefined;
  /** The newest iterations, so many. */
  iterations: number;
  /** The first child jobs, so many. */
  childJobs: number;
}

const whole: TaskExtent = { iterations: Infinity, childJobs: Infinity };

/** Owner as documents show it: a person's username, empty for a task that a person may take, else the platform. */
export function shownOwner(task: TaskState, type: string | undefined): string {
  return task.owner?.username ?? (type === "manual" || isForPerson(task.wait) ? "" : "Pronghorn");
}

/**
 * The row of a task's current iteration: static members of the task, resolved values, metrics
 * (workflow-engine.md §6.3), as far as `extent` goes.
 */
export function taskDocument(
  state: JobState,
  workflow: CompiledWorkflow,
  taskId: string,
  extent: TaskExtent = whole,
): object {
  const task = taskState(state, taskId);
  const { origin } = state;
  const definition = workflow.task(taskId);
  const ids = task.iterations.last(extent.iterations).map((iteration) => iterationId(origin._id, iteration));
  const run = {
    _id: iterationId(origin._id, task.iteration),
    taskId,
    status: task.status,
    iterations: ids,
    job: jobLink(state, taskId),
    variables: shownVariables(definition, task, extent.shorten ?? asItIs),
    metrics: taskMetrics(state, task, definition?.type),
  };
  const children = task.children ? { childJobs: childLinks(state, task, extent.childJobs) } : undefined;
  // Object.assign, because spreading a second object into a large one is many times slower.
  return Object.assign({}, definition, run, children, task.isMocked ? { mocked: true } : undefined);
}

const asItIs: Shorten = (value) => value;

function shownVariables(definition: WorkflowTask | undefined, task: TaskState, shorten: Shorten): object {
  const resolved = { incoming: shownMembers(task.incoming, shorten), outgoing: shownMembers(task.outgoing, shorten) };
  return Object.assign(
    {},
    definition?.variables,
    resolved,
    task.error === undefined ? undefined : { error: shorten(task.error) },
  );
}

function shownMembers(values: Record<string, unknown> = {}, shorten: Shorten): Record<string, unknown> {
  if (shorten === asItIs) return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shorten(value)]));
}

function jobLink(state: JobState, taskId: string): object {
  const { origin } = state;
  const link = {
    _id: origin._id,
    task: taskId,
    name: origin.name,
    description: state.description ?? "",
    ancestors: [...origin.ancestors, origin._id],
    groups: state.groups,
  };
  return origin.parent ? Object.assign(link, { parent: origin.parent.job }) : link;
}

function childLinks(state: JobState, task: TaskState, most: number): object[] {
  const iteration = iterationId(state.origin._id, task.iteration);
  const name = task.incoming?.["workflow"];
  return (task.children?.first(most) ?? []).map((child) => ({ _id: child._id, name, iteration }));
}

function taskMetrics(state: JobState, task: TaskState, type: string | undefined): object {
  return {
    user: task.owner?.accountId ?? state.origin.initiator.accountId,
    owner: shownOwner(task, type),
    ...(task.startedAt === undefined ? {} : { start_time: new Date(task.startedAt).toISOString() }),
    ...(task.claimedAt === undefined ? {} : { claim_time: task.claimedAt }),
    ...(task.endedAt === undefined
      ? {}
      : { end_time: task.endedAt, run_time: task.endedAt - (task.startedAt ?? task.endedAt) }),
    ...(task.finishState === undefined ? {} : { finish_state: task.finishState }),
  };
}
