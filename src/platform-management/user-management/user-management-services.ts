import type { Clock } from "../../core/clock.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import type { Logger } from "../../core/logger.ts";
import type { Store } from "../../store/store.ts";
import { createAccessDirectory } from "./access-directory.ts";
import type { AccessContext } from "./access-context.ts";
import type { AdminGroup } from "./access-model.ts";
import { localProvenance } from "./account-schema.ts";
import { AccountService } from "./account-service.ts";
import { GroupService } from "./group-service.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { createPermissionCatalog } from "./permission-catalog.ts";
import { RoleService } from "./role-service.ts";

/** Groups whose members may do everything, unless the operator names others. Source: spec `platform-management.md` §2.7. */
const defaultAdminGroups: readonly AdminGroup[] = [{ group: "pronghorn_admin", provenance: localProvenance }];

/** What user management is made from. */
export interface UserManagementOptions {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  logger: Logger;
  passwordHasher: PasswordHasher;
  /** Default: `defaultAdminGroups`. The first one is seeded. */
  adminGroups?: readonly AdminGroup[];
}

/** Accounts, groups, roles and who may do what. */
export interface UserManagementServices extends AccessContext {
  adminGroups: readonly AdminGroup[];
  passwords: Passwords;
  accounts: AccountService;
  groups: GroupService;
  roles: RoleService;
}

/** Wires the services of user management. `directory.close()` ends them. */
export function createUserManagement(options: UserManagementOptions): UserManagementServices {
  const { store, clock, adminGroups = defaultAdminGroups } = options;
  const context: AccessContext = {
    ...options,
    directory: createAccessDirectory(store, clock, adminGroups),
    catalog: createPermissionCatalog(),
  };
  const passwords = createPasswords(context, createLoginThrottle(clock));
  return {
    ...context,
    adminGroups,
    passwords,
    accounts: new AccountService(context, passwords),
    groups: new GroupService(context),
    roles: new RoleService(context),
  };
}
