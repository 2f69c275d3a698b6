import { PlatformError } from "../../core/errors.ts";
import { record, type Draft } from "./draft.ts";
import type { JobEvent } from "./events.ts";

type EventOf<Kind extends JobEvent["event"]> = Extract<JobEvent, { event: Kind }>;

/** Adds accounts to the watchers of a job; those that watch already change nothing (workflow-engine.md §7.4). */
export function watchJob(draft: Draft, { watchers }: EventOf<"watch">): void {
  const before = draft.state.watchers;
  const after = [...new Set([...before, ...watchers])];
  if (after.length > before.length) record(draft, { change: "watched", watchers: after });
}

/** Takes accounts from the watchers of a job. */
export function unwatchJob(draft: Draft, { watchers }: EventOf<"unwatch">): void {
  const before = draft.state.watchers;
  const after = before.filter((accountId) => !watchers.includes(accountId));
  if (after.length < before.length) record(draft, { change: "watched", watchers: after });
}

/**
 * Changes who may see a job, and hands that down to its child jobs (workflow-engine.md §7.4). Who is no
 * administrator may neither lose access to the job nor open it to everybody: FORBIDDEN.
 */
export function groupJob(draft: Draft, event: EventOf<"group">): void {
  const before = draft.state.groups;
  const after = changedGroups(before, event);
  if (after.length === before.length && after.every((group) => before.includes(group))) return;
  refuseLoss(after, event.mustKeep);
  record(draft, { change: "grouped", groups: after });
  const { workflow } = draft;
  const hasChildren = workflow.taskIds.some((taskId) => workflow.task(taskId)?.name === "childJob");
  if (hasChildren) draft.effects.push({ effect: "regroupChildren" });
}

function changedGroups(before: readonly string[], { change, groups }: EventOf<"group">): string[] {
  if (change === "add") return [...new Set([...before, ...groups])];
  if (change === "remove") return before.filter((group) => !groups.includes(group));
  return [...new Set(groups)];
}

function refuseLoss(after: readonly string[], mustKeep: readonly string[] | undefined): void {
  if (mustKeep === undefined || after.some((group) => mustKeep.includes(group))) return;
  const reason =
    after.length === 0
      ? "Only an administrator may open a job to everybody"
      : "You would lose access to the job: keep one of your own groups";
  throw new PlatformError("FORBIDDEN", reason);
}
