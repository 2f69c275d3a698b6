import type { Caller } from "../../core/caller.ts";
import { escapeRegex } from "../../core/escape-regex.ts";
import type { Json } from "../../core/json.ts";

/*
 * Groups restrict a job (workflow-engine.md §7.4): with none it is open to every role that may read, otherwise
 * to their members and to administrators.
 */

/** May the caller see a job, and act on it as far as the roles go, that has these groups? */
export function mayAccess(groups: readonly string[], caller: Caller): boolean {
  return groups.length === 0 || caller.isAdmin || groups.some((group) => caller.groupIds.includes(group));
}

/** The groups of a job as one text, the same for the same groups in any order: what headers are counted by. */
export function accessText(groups: readonly string[]): string {
  if (groups.length === 0) return "";
  return `\n${[...new Set(groups)].sort().map(line).join("\n")}\n`;
}

/** `mayAccess` as a query on headers of jobs. Its searches within `access` are answered from the counts of its few values. */
export function accessibleJobs(caller: Caller, further: Record<string, Json>): Record<string, Json> {
  if (caller.isAdmin) return further;
  const ofGroup = (group: string): Json => ({ access: { $regex: escapeRegex(`\n${line(group)}\n`) } });
  return { $and: [further, { $or: [{ access: accessText([]) }, ...caller.groupIds.map(ofGroup)] }] };
}

/** The text of one group: without line ends of its own, so that no group can pass for two others. */
function line(group: string): string {
  return JSON.stringify(group);
}

/** `mayAccess` as a query on rows of tasks. */
export function accessibleTasks(caller: Caller, further: Record<string, Json>): Record<string, Json> {
  if (caller.isAdmin) return further;
  const open: Json = { $or: [{ "job.groups": { $size: 0 } }, { "job.groups": { $in: [...caller.groupIds] } }] };
  return { $and: [further, open] };
}
