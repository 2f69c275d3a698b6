import type { Caller } from "../../core/caller.ts";
import { escapeRegex } from "../../core/escape-regex.ts";
import { hasName, mayAccess, nameLine, namesText, restrictingGroups } from "../../core/group-access.ts";
import type { Json } from "../../core/json.ts";
import { readWaitAny } from "../interpreter/wait-any-option.ts";
import type { WorkflowTask } from "../workflow-schema.ts";

/** What the platform itself is called where accounts are named. It takes part in no job. */
const platformAccount = "Pronghorn";

/** The groups of a job as one text, the same for the same groups in any order: what headers are counted by. */
export function accessText(groups: readonly string[]): string {
  return textOf(groups);
}

/** The people of a job as one text, as `accessText` does for groups: account ids of who started it, watches it, or owned one of its tasks. */
export function participantsText(accountIds: readonly string[]): string {
  return textOf(accountIds.filter((accountId) => accountId !== platformAccount));
}

/** The jobs that a caller started, watches, or owned a task of, as a query on headers. */
export function jobsOf({ accountId }: Caller): Record<string, Json> {
  return { participants: hasName(accountId) };
}

/** `mayAccess` as a query on headers of jobs. Its searches within `access` are answered from the counts of its few values. */
export function accessibleJobs(caller: Caller, further: Record<string, Json>): Record<string, Json> {
  if (caller.isAdmin) return further;
  const ofGroup = (group: string): Json => ({ access: hasName(group) });
  return { $and: [further, { $or: [{ access: accessText([]) }, ...caller.groupIds.map(ofGroup)] }] };
}

function textOf(names: readonly string[]): string {
  return names.length === 0 ? "" : namesText(names);
}

/** Groups that may see and work a manual task (workflow-engine.md §7.3); none: everybody who may see its job. */
function taskGroups(task: WorkflowTask | undefined): string[] {
  return task && isForPeople(task) ? restrictingGroups(task.groups) : [];
}

/** Manual tasks, and those that a person may end as well. */
export function isForPeople(task: WorkflowTask): boolean {
  return task.type === "manual" || readWaitAny(task)?.person === true;
}

/** May the caller, who may see the job, see the task and work it? */
export function mayAccessTask(task: WorkflowTask | undefined, caller: Caller): boolean {
  return mayAccess(taskGroups(task), caller);
}

/** The groups of a job and of one of its tasks as one text: what rows of tasks are counted by. */
export function taskAccessText(jobGroups: readonly string[], task: WorkflowTask | undefined): string {
  const lines = (of: string, groups: readonly string[]) =>
    groups.length === 0 ? [`${of} *`] : [...new Set(groups)].sort().map((group) => `${of} ${nameLine(group)}`);
  return `\n${[...lines("job", jobGroups), ...lines("task", taskGroups(task))].join("\n")}\n`;
}

/** `mayAccess` to its job and `mayAccessTask` as a query on rows of tasks. */
export function accessibleTasks(caller: Caller, further: Record<string, Json>): Record<string, Json> {
  if (caller.isAdmin) return further;
  const has = (text: string): Json => ({ access: { $regex: escapeRegex(`\n${text}\n`) } });
  const open = (of: string): Json => ({
    $or: [has(`${of} *`), ...caller.groupIds.map((group) => has(`${of} ${nameLine(group)}`))],
  });
  return { $and: [further, open("job"), open("task")] };
}
