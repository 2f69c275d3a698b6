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
  return Object.assign(runMembers(state), { tasks: jobTasks(state, workflow) }, workflowMembers(workflow));
}

/** The members that say how the job fared, tasks left out. */
export function runMembers(state: JobState): object {
  const { mocks } = state.origin;
  return Object.assign(
    shownHeader(state),
    { variables: jobVariables(state) },
    mocks ? { mocked: Object.keys(mocks) } : undefined,
  );
}

/** The members in which all jobs of a workflow are alike. */
export function workflowMembers({ snapshot }: CompiledWorkflow): Record<string, unknown> {
  const document: Record<string, unknown> = snapshot.workflow;
  return {
    transitions: document["transitions"],
    decorators: document["decorators"] ?? [],
    ...keptMembers(document),
    encodingVersion: 1,
  };
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
    const run = taskRun(state, workflow, taskId);
    // Object.assign, because spreading a second object into a large one is many times slower.
    if (run) tasks[taskId] = Object.assign({}, workflow.shownTask(taskId), run);
  }
  return tasks;
}

/** What happened to a task in a job; undefined where the job has no such task. */
export function taskRun(state: JobState, workflow: CompiledWorkflow, taskId: string): object | undefined {
  const task = state.tasks.get(taskId);
  if (!task) return undefined;
  const { status, startedAt, endedAt } = task;
  const iterations = shownIterations(state, task);
  const previous = previousTasks(state, workflow, taskId);
  if (taskId === startTaskId) return { status, iterations, previous, metrics: startMetrics(state) };
  if (taskId === endTaskId) return { status, iterations, previous, metrics: endMetrics(state), endTasks: previous };
  // One literal, and few copies: an answer shows a thousand tasks. Members that are undefined are no part of documents.
  return {
    status,
    iterations,
    previous,
    owner: shownOwner(task, workflow.task(taskId)?.type),
    start_time: startedAt === undefined ? undefined : new Date(startedAt).toISOString(),
    end_time: endedAt,
    finish_state: endedAt === undefined ? undefined : task.finishState,
    mocked: task.isMocked || undefined,
  };
}

function shownIterations({ origin }: JobState, { iterations }: TaskState): string[] {
  const shown: string[] = [];
  for (const iteration of iterations) shown.push(iterationId(origin._id, iteration));
  return shown;
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
