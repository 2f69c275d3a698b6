import { endTaskId, startTaskId } from "../workflow-schema.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { JobState, TaskState } from "../interpreter/job-state.ts";
import { iterationId } from "./iteration-id.ts";
import { progressOf, shownHeader } from "./projections.ts";
import { shownOwner } from "./task-document.ts";

// How the field's stored jobs show a value that was assigned but undefined (tasks-and-transformations.md §1.1.7).
const undefinedText = "__undefined";

/** The job document of the wire: header, copy of the workflow, run-time fields of every task, job variables (workflow-engine.md §6.1, §6.2). */
export function jobDocument(state: JobState, workflow: CompiledWorkflow): Record<string, unknown> {
  const document: Record<string, unknown> = workflow.snapshot.workflow;
  // Object.assign: see `shownTask`.
  return Object.assign(
    shownHeader(state),
    {
      tasks: jobTasks(state, workflow),
      transitions: document["transitions"],
      variables: jobVariables(state),
      decorators: document["decorators"] ?? [],
    },
    keptMembers(document),
    state.origin.mocks ? { mocked: Object.keys(state.origin.mocks) } : undefined,
    { encodingVersion: 1 },
  );
}

/** Members of workflows that job documents repeat. */
export const keptNames = [
  "canvasVersion",
  "font_size",
  "errorHandler",
  "preAutomationTime",
  "sla",
  "createdVersion",
  "lastUpdatedVersion",
  "tags",
  "inputSchema",
  "outputSchema",
];

function keptMembers(document: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    keptNames.filter((name) => document[name] !== undefined).map((name) => [name, document[name]]),
  );
}

/** Job variables as documents show them. */
export function jobVariables(state: JobState): Record<string, unknown> {
  const shown = Object.entries(state.variables).map(([name, value]) => [
    name,
    value === undefined ? undefinedText : value,
  ]);
  return Object.fromEntries(shown) as Record<string, unknown>;
}

/** Status of every task, by task id. */
export function taskStatuses(state: JobState): Record<string, string> {
  return Object.fromEntries([...state.tasks].map(([taskId, task]) => [taskId, task.status]));
}

function jobTasks(state: JobState, workflow: CompiledWorkflow): Record<string, unknown> {
  const tasks: Record<string, unknown> = {};
  for (const taskId of workflow.taskIds) {
    const task = state.tasks.get(taskId);
    if (task) tasks[taskId] = shownTask(state, workflow, taskId, task);
  }
  const end = tasks[endTaskId] as { previous?: unknown; endTasks?: unknown } | undefined;
  if (end) end.endTasks = end.previous;
  return tasks;
}

/** A task of a job: its definition with what happened to it. */
function shownTask(state: JobState, workflow: CompiledWorkflow, taskId: string, task: TaskState): object {
  const definition = workflow.task(taskId);
  const run = {
    status: task.status,
    taskId,
    iterations: [...task.iterations].map((iteration) => iterationId(state.origin._id, iteration)),
    previous: previousTasks(state, workflow, taskId),
    transitions: workflow.transitionsByState(taskId),
  };
  // Object.assign, because spreading a second object into a large one is many times slower.
  return Object.assign({}, definition, run, runMembers(state, taskId, task, definition?.type));
}

function runMembers(state: JobState, taskId: string, task: TaskState, type: string | undefined): object {
  if (taskId === startTaskId) return { metrics: startMetrics(state) };
  if (taskId === endTaskId) return { metrics: endMetrics(state) };
  const owner = shownOwner(task, type);
  if (task.startedAt === undefined) return { owner };
  const started = { owner, start_time: new Date(task.startedAt).toISOString() };
  const ended = task.endedAt === undefined ? undefined : { end_time: task.endedAt, finish_state: task.finishState };
  return Object.assign(started, ended, task.isMocked ? { mocked: true } : undefined);
}

function startMetrics(state: JobState): object {
  return { start_time: state.startedAt, user: state.origin.initiator.accountId, finish_state: "success" };
}

function endMetrics(state: JobState): object {
  if (state.endedAt === undefined) return { progress: progressOf(state) };
  return { end_time: state.endedAt, run_time: state.endedAt - state.startedAt };
}

/** Tasks that lead here, by how far they are; the start task is never listed. */
function previousTasks(state: JobState, workflow: CompiledWorkflow, taskId: string): Record<string, string[]> {
  const previous: { incomplete: string[]; complete: string[]; error: string[] } = {
    incomplete: [],
    complete: [],
    error: [],
  };
  for (const { from } of workflow.joinEdges(taskId)) {
    if (from === startTaskId) continue;
    const status = state.tasks.get(from)?.status;
    if (status === "complete" || status === "error") previous[status].push(from);
    else previous.incomplete.push(from);
  }
  return previous;
}
