import { areSameGroups, changedGroups, refuseLoss } from "../../core/group-change.ts";
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
  if (areSameGroups(before, after)) return;
  refuseLoss("job", after, event.mustKeep);
  record(draft, { change: "grouped", groups: after });
  const { workflow } = draft;
  const hasChildren = workflow.taskIds.some((taskId) => workflow.task(taskId)?.name === "childJob");
  if (hasChildren) draft.effects.push({ effect: "regroupChildren" });
}
