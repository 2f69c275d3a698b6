import type { Caller } from "../core/caller.ts";
import { notFound, PlatformError } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import type { ProjectMember } from "./project-schema.ts";

/** What may be done with a project, from least to most. */
export type ProjectRight = "read" | "execute" | "write" | "manage";

const rights: readonly ProjectRight[] = ["read", "execute", "write", "manage"];
const rightOfRole: Readonly<Record<ProjectMember["role"], ProjectRight>> = {
  viewer: "read",
  operator: "execute",
  editor: "write",
  owner: "manage",
};

/** May the caller do this, as a member or through a group? Administrators may do everything. */
function hasRight(members: readonly ProjectMember[], caller: Caller, right: ProjectRight): boolean {
  if (caller.isAdmin) return true;
  const own = new Set([caller.accountId, ...caller.groupIds]);
  return members.some((member) => own.has(member.reference) && includes(member, right));
}

/** NOT_FOUND for a project the caller may not see, FORBIDDEN for one that may be seen but not so changed (decision 14). */
export function requireRight(
  project: { _id: string; members: readonly ProjectMember[] },
  caller: Caller,
  right: ProjectRight,
): void {
  if (!hasRight(project.members, caller, "read")) throw projectNotFound(project._id);
  if (!hasRight(project.members, caller, right))
    throw new PlatformError("FORBIDDEN", `You may not ${right} this project`);
}

export function projectNotFound(id: string): PlatformError {
  return notFound(`Project with _id ${id} was not found`);
}

/** Condition of the projects that the caller may see. */
export function visibleProjects(caller: Caller): Record<string, Json> {
  return caller.isAdmin ? {} : { "members.reference": { $in: [caller.accountId, ...caller.groupIds] } };
}

/** Who may do what, as project documents of the field show it: `_id`s of members by right. */
export function accessControlOf(members: readonly ProjectMember[]): Record<ProjectRight, string[]> {
  const holders = (right: ProjectRight): string[] =>
    members.filter((member) => includes(member, right)).map((member) => member.reference);
  return { manage: holders("manage"), write: holders("write"), execute: holders("execute"), read: holders("read") };
}

function includes(member: ProjectMember, right: ProjectRight): boolean {
  return rights.indexOf(rightOfRole[member.role]) >= rights.indexOf(right);
}
