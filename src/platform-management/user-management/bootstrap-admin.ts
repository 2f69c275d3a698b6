import { nowText } from "./access-context.ts";
import { emptyAccount } from "./account-service.ts";
import type { Account, Group } from "./account-schema.ts";
import { shortestBootstrapPassword } from "./passwords.ts";
import type { UserManagementServices } from "./user-management-services.ts";
import { DuplicateKeyError } from "../../store/store.ts";

/** `_id` of the first account: spec `platform-management.md` §2.7. Fixed, so that two nodes that start at once make one. */
const firstAccountId = "000000000000000000000000";
const firstGroupId = "000000000000000000000001";
const randomPasswordLength = 24;

/**
 * On the first start creates the group of administrators and the account `admin` (decision 13).
 * `password` is in the result only when it was made up here: it is shown once and known nowhere
 * else. 400 when the password given has less than 8 characters; nothing is created then.
 */
export async function bootstrapAdmin(
  services: UserManagementServices,
  { password }: { password?: string } = {},
): Promise<{ created: boolean; password?: string }> {
  const { store, identifiers, passwords } = services;
  if ((await store.count("accounts", {})) > 0) return { created: false };
  const chosen = password ?? identifiers.secret().slice(0, randomPasswordLength);
  const passwordHash = await passwords.hashNew(chosen, "admin", "LINEWRIGHT_ADMIN_PASSWORD", shortestBootstrapPassword);
  const memberships = [{ groupId: firstGroupId, aaaManaged: false }];
  const account: Account = {
    ...emptyAccount(services, { username: "admin", firstname: "admin" }, memberships),
    _id: firstAccountId,
  };
  try {
    await store.commit([
      { kind: "put", collection: "groups", document: adminGroup(services) },
      { kind: "insert", collection: "accounts", document: account },
      { kind: "put", collection: "credentials", document: { _id: firstAccountId, passwordHash } },
    ]);
  } catch (error) {
    if (error instanceof DuplicateKeyError) return { created: false };
    throw error;
  }
  return password === undefined ? { created: true, password: chosen } : { created: true };
}

function adminGroup(services: UserManagementServices): Group {
  const [{ group, provenance } = { group: "pronghorn_admin", provenance: "local_aaa" }] = services.adminGroups;
  const created = nowText(services);
  return {
    _id: firstGroupId,
    provenance,
    name: group,
    description: "Administrators of the platform",
    memberOf: [],
    assignedRoles: [],
    inactive: false,
    _meta: { created, updated: created },
  };
}
