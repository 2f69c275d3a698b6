import { badRequest, type ErrorDetail } from "../../core/errors.ts";
import type { AccessModel } from "./access-model.ts";
import type { Membership, RoleReference } from "./account-schema.ts";

/** 400 that names every role or group that does not exist. `at` is the pointer of the object that holds both lists. */
export function assertKnownReferences(
  references: { assignedRoles?: readonly RoleReference[]; memberOf?: readonly Membership[] },
  model: AccessModel,
  at: string,
): void {
  const details: ErrorDetail[] = [];
  references.assignedRoles?.forEach(({ roleId }, index) => {
    if (model.roles.has(roleId)) return;
    details.push({ path: `${at}/assignedRoles/${index}/roleId`, message: `there is no role ${roleId}` });
  });
  references.memberOf?.forEach(({ groupId }, index) => {
    if (model.groups.has(groupId)) return;
    details.push({ path: `${at}/memberOf/${index}/groupId`, message: `there is no group ${groupId}` });
  });
  if (details.length > 0) throw badRequest(details.map(({ message }) => message).join("; "), details);
}

/** Memberships for names or identifiers of groups, each once. 400 names every unknown one. */
export function membershipsOf(groups: readonly string[], model: AccessModel, at: string): Membership[] {
  const idsByName = new Map([...model.groups.values()].map((group) => [group.name, group._id]));
  const details: ErrorDetail[] = [];
  const ids = groups.map((group, index) => {
    const id = model.groups.has(group) ? group : idsByName.get(group);
    if (id === undefined) details.push({ path: `${at}/${index}`, message: `there is no group ${group}` });
    return id ?? "";
  });
  if (details.length > 0) throw badRequest(details.map(({ message }) => message).join("; "), details);
  return [...new Set(ids)].map((groupId) => ({ groupId, aaaManaged: false }));
}
