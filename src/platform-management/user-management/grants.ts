import type { Caller } from "../../core/caller.ts";
import { PlatformError } from "../../core/errors.ts";
import { effectiveAccess, effectiveRoles, isAdminGroup, reachableGroups, type AccessModel } from "./access-model.ts";
import type { Account, AllowedMethod, Group, Membership, Role, RoleReference } from "./account-schema.ts";

/** Rules that keep people from giving themselves or others more than they may do: seed "assignable roles based on permissions". */

/** May the caller hand out this role? Administrators any; others only what they may do themselves. */
export function isAssignable(caller: Caller, role: Pick<Role, "allowedMethods">): boolean {
  return caller.isAdmin || role.allowedMethods.every(({ provenance, name }) => caller.isAllowed(provenance, name));
}

/** 403 unless the caller may hand out all these roles and put members into all these groups. */
export function assertMayGrant(
  caller: Caller,
  granted: { assignedRoles?: readonly RoleReference[]; memberOf?: readonly Membership[] },
  model: AccessModel,
): void {
  if (caller.isAdmin) return;
  const groups = reachableGroups(granted.memberOf ?? [], model);
  if (groups.some((group) => model.adminGroupIds.has(group._id))) {
    throw new PlatformError("FORBIDDEN", "Only administrators may add members to the group of administrators.");
  }
  const refused = effectiveRoles(granted.assignedRoles ?? [], groups, model).find(
    (role) => !isAssignable(caller, role),
  );
  if (refused)
    throw new PlatformError("FORBIDDEN", `You may not assign the role ${refused.provenance}:${refused.name}.`);
}

/** 403 when somebody who is no administrator would give a group the name of a group of administrators. */
export function assertMayName(caller: Caller, group: Pick<Group, "name" | "provenance">, model: AccessModel): void {
  if (caller.isAdmin || !isAdminGroup(group, model.adminGroups)) return;
  throw new PlatformError("FORBIDDEN", `Only administrators may name a group ${group.name}.`);
}

/** 403 unless the caller may use every one of these methods. */
export function assertHoldsMethods(caller: Caller, methods: readonly AllowedMethod[]): void {
  const refused = methods.find(({ provenance, name }) => !caller.isAllowed(provenance, name));
  if (refused)
    throw new PlatformError("FORBIDDEN", `You may not allow the method ${refused.provenance}:${refused.name}.`);
}

/** 403 when the account may do what the caller may not: nobody takes over an account above their own. */
export function assertMayManage(caller: Caller, account: Account, model: AccessModel): void {
  if (caller.isAdmin || account._id === caller.accountId) return;
  const access = effectiveAccess(account, model);
  if (!access.isAdmin && access.roles.every((role) => isAssignable(caller, role))) return;
  throw new PlatformError("FORBIDDEN", `The account ${account.username} has permissions that you do not have.`);
}

/** What the updates give beyond what the holder has already: lists are sent whole. */
export function addedBy(
  { memberOf = [], assignedRoles = [] }: { memberOf?: readonly Membership[]; assignedRoles?: readonly RoleReference[] },
  before: Pick<Account, "memberOf" | "assignedRoles">,
): { memberOf: Membership[]; assignedRoles: RoleReference[] } {
  const groupIds = new Set(before.memberOf.map(({ groupId }) => groupId));
  const roleIds = new Set(before.assignedRoles.map(({ roleId }) => roleId));
  return {
    memberOf: memberOf.filter(({ groupId }) => !groupIds.has(groupId)),
    assignedRoles: assignedRoles.filter(({ roleId }) => !roleIds.has(roleId)),
  };
}
