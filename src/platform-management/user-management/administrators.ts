import { conflict } from "../../core/errors.ts";
import type { Store, Write } from "../../store/store.ts";
import { createAccessModel, reachableGroups, type AccessModel } from "./access-model.ts";
import { serviceAccountProvenance, type Account, type Group, type Membership } from "./account-schema.ts";

/** A change that may take administrators away: of one account, or of the groups. Absent `after` of an account: it is deleted. */
export interface AdministratorChange {
  before: AccessModel;
  after: AccessModel;
  account?: { before: Account; after?: Account };
}

/**
 * 409 when the change would leave no active account of a person in a group of administrators.
 * The writes belong into the commit of the change: two changes that each leave the other's
 * administrator meet on the version of the group, and the second one looks again.
 */
export async function keepAnAdministrator(store: Store, change: AdministratorChange): Promise<Write[]> {
  if (!doesTakeAway(change)) return [];
  const groups = await Promise.all([...change.before.adminGroupIds].map((id) => store.read<Group>("groups", id)));
  const others = await store.count("accounts", {
    inactive: false,
    provenance: { $ne: serviceAccountProvenance },
    "memberOf.groupId": { $in: [...groupsOfAdministrators(change.after)] },
    ...(change.account ? { _id: { $ne: change.account.before._id } } : {}),
  });
  if (others === 0) throw conflict("The last administrator cannot be removed.");
  return groups.flatMap((group) =>
    group && change.after.groups.has(group.document._id)
      ? [{ kind: "replace", collection: "groups", document: group.document, version: group.version } as const]
      : [],
  );
}

/** The model with one group changed, or without it. */
export function modelWith(model: AccessModel, groupId: string, group?: Group): AccessModel {
  const others = [...model.groups.values()].filter(({ _id }) => _id !== groupId);
  return createAccessModel(group ? [...others, group] : others, [...model.roles.values()], model.adminGroups);
}

function doesTakeAway({ before, after, account }: AdministratorChange): boolean {
  if (account) {
    return isAdministrator(account.before, before) && !(account.after && isAdministrator(account.after, after));
  }
  const left = groupsOfAdministrators(after);
  return [...groupsOfAdministrators(before)].some((id) => !left.has(id));
}

function isAdministrator({ inactive, provenance, memberOf }: Account, model: AccessModel): boolean {
  return !inactive && provenance !== serviceAccountProvenance && doesReachAdministrators(memberOf, model);
}

function groupsOfAdministrators(model: AccessModel): Set<string> {
  return new Set([...model.groups.keys()].filter((groupId) => doesReachAdministrators([{ groupId }], model)));
}

function doesReachAdministrators(memberOf: readonly Membership[], model: AccessModel): boolean {
  return reachableGroups(memberOf, model).some((group) => model.adminGroupIds.has(group._id));
}
