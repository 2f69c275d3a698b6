import type { Account, Group, Membership, Role, RoleReference } from "./account-schema.ts";

/** Names a group whose members may do everything: spec `platform-management.md` §2.7. */
export interface AdminGroup {
  group: string;
  provenance: string;
}

/** All groups and roles at one moment: what effective access is computed from. */
export interface AccessModel {
  groups: ReadonlyMap<string, Group>;
  roles: ReadonlyMap<string, Role>;
  adminGroups: readonly AdminGroup[];
  adminGroupIds: ReadonlySet<string>;
}

/** What an account may do. */
export interface Access {
  account: Account;
  /** Groups the account belongs to, groups of groups included. */
  groups: readonly Group[];
  /** Roles through any way; all roles for administrators. */
  roles: readonly Role[];
  isAdmin: boolean;
  isAllowed(provenance: string, methodName: string): boolean;
}

/** Builds the model from the documents as stored. */
export function createAccessModel(
  groups: readonly Group[],
  roles: readonly Role[],
  adminGroups: readonly AdminGroup[],
): AccessModel {
  return {
    groups: new Map(groups.map((group) => [group._id, group])),
    roles: new Map(roles.map((role) => [role._id, role])),
    adminGroups,
    adminGroupIds: new Set(groups.filter((group) => isAdminGroup(group, adminGroups)).map(({ _id }) => _id)),
  };
}

/** Does a group of this name and provenance make its members administrators? */
export function isAdminGroup(
  { name, provenance }: Pick<Group, "name" | "provenance">,
  adminGroups: readonly AdminGroup[],
): boolean {
  return adminGroups.some((admin) => admin.group === name && admin.provenance === provenance);
}

/** Groups reached from memberships, each once, in order of distance. Cycles end; inactive and unknown groups give nothing. */
export function reachableGroups(memberOf: readonly Membership[], model: AccessModel): Group[] {
  const reached = new Map<string, Group>();
  const visit = (memberships: readonly Membership[]): void => {
    const found = memberships.flatMap(({ groupId }) => {
      const group = reached.has(groupId) ? undefined : model.groups.get(groupId);
      return group && !group.inactive ? [group] : [];
    });
    for (const group of found) reached.set(group._id, group);
    if (found.length > 0) visit(found.flatMap((group) => group.memberOf));
  };
  visit(memberOf);
  return [...reached.values()];
}

/** Roles that a holder of these references and groups has, each once. */
export function effectiveRoles(
  assignedRoles: readonly RoleReference[],
  groups: readonly Group[],
  model: AccessModel,
): Role[] {
  const references = [...assignedRoles, ...groups.flatMap((group) => group.assignedRoles)];
  const roles = references.flatMap(({ roleId }) => model.roles.get(roleId) ?? []);
  return [...new Set(roles)];
}

/** What the account may do: its own roles, those of its groups and of their groups; everything for members of admin groups. */
export function effectiveAccess(account: Account, model: AccessModel): Access {
  const groups = reachableGroups(account.memberOf, model);
  const isAdmin = groups.some((group) => model.adminGroupIds.has(group._id));
  const roles = isAdmin ? [...model.roles.values()] : effectiveRoles(account.assignedRoles, groups, model);
  const methods = methodsByProvenance(roles);
  return {
    account,
    groups,
    roles,
    isAdmin,
    isAllowed: (provenance, methodName) => isAdmin || methods.get(provenance)?.has(methodName) === true,
  };
}

/** Names of the methods that the roles allow, by provenance. */
export function methodsByProvenance(roles: readonly Role[]): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const { name, provenance } of roles.flatMap((role) => role.allowedMethods)) {
    const names = methods.get(provenance) ?? new Set();
    methods.set(provenance, names.add(name));
  }
  return methods;
}
