import type { Operation } from "../../core/operation.ts";
import { planned } from "../../core/planned-operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";

/** Prebuilt repository operations that are not built yet: spec platform-management.md §9.3. */
export const prebuiltRepositoriesPlanned: readonly Operation[] = [
  planned(
    "getRepositoryPrebuilts",
    "GET /prebuilts-repository",
    "List the prebuilts that a repository offers.",
    managementReadRoles,
  ),
  planned(
    "getRepositoryConfigs",
    "GET /prebuilts-repository/configs",
    "List the repositories that prebuilts may come from.",
    managementReadRoles,
  ),
  planned(
    "createRepositoryConfig",
    "POST /prebuilts-repository/configs",
    "Add a repository that prebuilts may come from.",
    adminRoles,
  ),
  planned(
    "deleteRepositoryConfig",
    "DELETE /prebuilts-repository/configs/:name",
    "Forget a repository; what was installed from it stays.",
    adminRoles,
  ),
];
