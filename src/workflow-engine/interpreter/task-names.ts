import { badRequest, PlatformError } from "../../core/errors.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";

/** A task as a person names it: by its id, or by a name or summary that no other task has. */
export interface NamedTask {
  named: string;
  /** JSON pointer to where the request says it. */
  place: string;
}

/**
 * The id of the task. An id goes before names; several tasks of one name are BAD_REQUEST, none is
 * NOT_FOUND. Both name the tasks that were perhaps meant.
 */
export function findTaskId(workflow: CompiledWorkflow, { named, place }: NamedTask): string {
  if (workflow.task(named)) return named;
  const found = workflow.taskIds.filter((taskId) => isNamed(workflow, taskId, named));
  const [taskId] = found;
  if (taskId !== undefined && found.length === 1) return taskId;
  if (found.length > 1) {
    const message = `Several tasks are named ${named}: ${listed(workflow, found)}. Name one by its id`;
    throw badRequest(message, [{ path: place, message: "names several tasks" }]);
  }
  throw new PlatformError("NOT_FOUND", `The job has no task ${named}. It has ${listed(workflow, workflow.taskIds)}`, [
    { path: place, message: "names no task of the job" },
  ]);
}

function isNamed(workflow: CompiledWorkflow, taskId: string, named: string): boolean {
  const task = workflow.task(taskId);
  return task !== undefined && (task.name === named || task.summary === named || task.canvasName === named);
}

/** A person reads no more than this. */
const mostListed = 20;

/** Tasks as messages name them. */
function listed(workflow: CompiledWorkflow, taskIds: readonly string[]): string {
  const shown = taskIds.slice(0, mostListed).map((taskId) => {
    const task = workflow.task(taskId);
    return `${taskId} (${task?.summary ?? task?.name ?? ""})`;
  });
  const more = taskIds.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
