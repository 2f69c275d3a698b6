import type { Application } from "../../core/application.ts";
import { accountOperations } from "./account-operations.ts";
import { groupOperations } from "./group-operations.ts";
import { roleOperations } from "./role-operations.ts";
import type { UserManagementServices } from "./user-management-services.ts";

export { bootstrapAdmin } from "./bootstrap-admin.ts";
export { createPasswordHasher, type PasswordHasher } from "./password-hasher.ts";
export { createUserManagement, type UserManagementServices } from "./user-management-services.ts";
export { methodsByProvenance, type Access } from "./access-model.ts";
export { commitUnique, nowText } from "./access-context.ts";
export { emptyAccount, removalOf } from "./account-service.ts";
export { assertMayManage } from "./grants.ts";
export { endSessions } from "./holders.ts";
export { repeatOnConflict } from "./repeat-on-conflict.ts";
export { createRefreshingCache } from "./refreshing-cache.ts";
export { ProfileBody } from "./request-schemas.ts";
export { Account, serviceAccountProvenance, type CredentialsDocument } from "./account-schema.ts";

/** Accounts, groups and roles: the seeds' `/user-management` and the newer `/authorization` over one model (decision 1). */
export const userManagement: Application<UserManagementServices> = {
  id: "UserManagement",
  name: "User management",
  summary: "Accounts, groups, roles and what they may do.",
  errorStyle: "string",
  operations: [...accountOperations, ...groupOperations, ...roleOperations],
};
