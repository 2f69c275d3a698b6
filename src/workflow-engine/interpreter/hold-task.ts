import type { TaskResult } from "../../core/task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import { record, type Draft } from "./draft.ts";
import { iterationToBegin, taskState } from "./job-state.ts";
import { placeInWindow, readRunWindow } from "./run-window.ts";
import { errorResult, originOf } from "./task-error.ts";

/**
 * Holds a task back until its run window opens: its iteration is counted, but has not begun. Undefined: it may
 * start now; `result`: it never may. A task that waited for its lock inside the window starts when it has it.
 */
export function waitForWindow(
  draft: Draft,
  taskId: string,
  task: WorkflowTask,
): "asked" | { result: TaskResult } | undefined {
  const { scheduled } = task as { scheduled?: unknown };
  if (!scheduled || task.type === "manual" || taskState(draft.state, taskId).lock !== undefined) return undefined;
  const window = readRunWindow(scheduled);
  if (window === undefined) return undefined;
  if (Array.isArray(window)) {
    return {
      result: errorResult(originOf(task), `The run window of the task ${window[0]?.message ?? "is malformed"}`),
    };
  }
  const place = placeInWindow(window, draft.at);
  if (place.is === "open") return undefined;
  if (place.is === "over") return { result: overResult(task, place.endedAt) };
  hold(draft, taskId, place.opensAt);
  return "asked";
}

function overResult(task: WorkflowTask, endedAt: number): TaskResult {
  const message = `The run window of the task ended at ${new Date(endedAt).toISOString()}`;
  return errorResult(originOf(task), message, "Give the task a later window, or none.");
}

function hold(draft: Draft, taskId: string, dueAt: number): void {
  const iteration = iterationToBegin(draft.state, taskId);
  record(draft, { change: "scheduled", task: taskId, iteration, at: draft.at, wait: { for: "window", dueAt } });
  draft.effects.push({ effect: "openWindow", task: taskId, iteration, dueAt });
}
