import type { Caller } from "../../core/caller.ts";
import { taskState } from "../interpreter/job-state.ts";
import { isForPerson } from "../interpreter/wait-any.ts";
import type { LocatedTask } from "../jobs/locate-task.ts";

/** Why the caller cannot finish a manual task as things are, in words; null when he can (workflow-engine.md §7.1, §7.3). */
export function hindranceOf({ view, task: taskId }: LocatedTask, caller: Caller): string | null {
  const { state } = view;
  const task = taskState(state, taskId);
  if (task.status === "complete" || task.status === "error") return `The task was finished: ${task.finishState}.`;
  if (state.status === "complete" || state.status === "canceled") return `The job is ${state.status}.`;
  if (task.status !== "running" || !isForPerson(task.wait)) return "The task is not waiting for a person.";
  if (state.status === "paused") return "The job is paused: resume it first.";
  if (task.owner && task.owner.accountId !== caller.accountId && !caller.isAdmin)
    return `The task is claimed by ${task.owner.username}.`;
  return null;
}
