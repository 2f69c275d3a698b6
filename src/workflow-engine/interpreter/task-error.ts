import type { TaskResult } from "../../core/task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";

/** The error object tasks carry: what `$var.<task>.error` reads and people see (tasks-and-transformations.md §1.1.5). */
export interface TaskErrorObject {
  icode: string;
  IAPerror: { origin: string; displayString: string; recommendation: string | null };
}

/** `App.method` of a task, as errors name it. */
export function originOf(task: WorkflowTask): string {
  return `${task.app ?? "WorkFlowEngine"}.${task.name}`;
}

/** An error result with the field's error object. `origin` is `App.method`. */
export function errorResult(origin: string, displayString: string, recommendation: string | null = null): TaskResult {
  const error: TaskErrorObject = { icode: "AD.500", IAPerror: { origin, displayString, recommendation } };
  return { finishState: "error", outgoing: {}, error };
}

/** An error result from whatever was thrown. */
export function thrownResult(origin: string, thrown: unknown): TaskResult {
  return errorResult(origin, thrown instanceof Error ? thrown.message : String(thrown));
}

/** What an error object of `errorResult` says. */
export function displayStringOf(error: unknown): string {
  return (error as TaskErrorObject).IAPerror.displayString;
}
