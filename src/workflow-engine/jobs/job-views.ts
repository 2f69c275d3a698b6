import { isJsonObject } from "../../core/json.ts";
import { documentOf, type JobView } from "./job-service.ts";
import { taskDocument } from "./task-document.ts";

/** The job with every task that ran merged with the row of its latest iteration (workflow-engine.md §6.3). */
export function mergedDocument(view: JobView): Record<string, unknown> {
  const { state, workflow } = view;
  const ran = (taskId: string) => (state.tasks.get(taskId)?.iteration ?? 0) > 0;
  return mapTasks(documentOf(view), (task, taskId) =>
    ran(taskId) ? { ...task, ...taskDocument(state, workflow, taskId) } : task,
  );
}

/** The job without what is large or private in its tasks (workflow-engine.md §8.5, getJobShallow). */
export function shallowDocument(view: JobView): Record<string, unknown> {
  return mapTasks(documentOf(view), ({ app: _app, variables, ...task }) => {
    if (!isJsonObject(variables)) return task;
    const { incoming: _incoming, outgoing: _outgoing, error: _error, ...kept } = variables;
    return { ...task, variables: kept };
  });
}

const detailsLeftOut = new Set(["created", "created_by", "last_updated", "last_updated_by", "variables"]);

/** The job as the workflow wrote it, without who made it when (workflow-engine.md §8.5, details). */
export function detailedDocument(view: JobView): Record<string, unknown> {
  return Object.fromEntries(Object.entries(documentOf(view)).filter(([name]) => !detailsLeftOut.has(name)));
}

/** The tasks that each task leads to, in the order of the workflow: standard and revert transitions alike. */
export function nextTasks({ workflow }: JobView): Record<string, string[]> {
  return Object.fromEntries(workflow.taskIds.map((id) => [id, workflow.edgesFrom(id).map(({ to }) => to)]));
}

type TaskMembers = Record<string, unknown>;

function mapTasks(
  document: Record<string, unknown>,
  change: (task: TaskMembers, taskId: string) => TaskMembers,
): Record<string, unknown> {
  const tasks = Object.entries(document["tasks"] as Record<string, TaskMembers>);
  return { ...document, tasks: Object.fromEntries(tasks.map(([taskId, task]) => [taskId, change(task, taskId)])) };
}
