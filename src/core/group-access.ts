import type { Caller } from "./caller.ts";
import type { Json } from "./json.ts";

/*
 * A list of groups restricts what it stands on: jobs and manual tasks (workflow-engine.md §7.3, §7.4), workflows
 * (§1.1). With none it is open to every role that may read, otherwise to their members and to administrators.
 */

/** The group that old documents name where they mean everybody. */
const everybody = "default";

/** May the caller see what has these groups, and act on it as far as the roles go? */
export function mayAccess(groups: readonly string[], caller: Caller): boolean {
  return groups.length === 0 || caller.isAdmin || groups.some((group) => caller.groupIds.includes(group));
}

/** The groups of a list that restrict at all; none: everybody. Old documents name `default`, which stands for everybody. */
export function restrictingGroups(groups: unknown): string[] {
  // A document that was stored with errors may hold anything here.
  const listed: unknown[] = Array.isArray(groups) ? groups : [];
  return listed.filter((group): group is string => typeof group === "string" && group !== everybody);
}

/** `mayAccess` to a document that was stored with its `groups` as somebody wrote them. */
export function mayAccessDocument({ groups }: { groups?: unknown }, caller: Caller): boolean {
  return mayAccess(restrictingGroups(groups), caller);
}

/** `mayAccessDocument` as a query on such documents, together with another one. */
export function accessibleDocuments(caller: Caller, further: Record<string, Json> = {}): Record<string, Json> {
  if (caller.isAdmin) return further;
  const isOpen = { groups: { $not: { $elemMatch: { $type: "string", $ne: everybody } } } };
  const isOfGroup = { groups: { $elemMatch: { $in: restrictingGroups(caller.groupIds) } } };
  return { $and: [further, { $or: [isOpen, isOfGroup] }] };
}
