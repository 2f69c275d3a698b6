import type { Operation } from "../../core/operation.ts";
import { planned } from "../../core/planned-operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";

/** Prebuilt operations that are not built yet: spec platform-management.md §9. */
export const prebuiltsPlanned: readonly Operation[] = [
  planned("getPrebuilts", "GET /prebuilts", "List the installed prebuilts.", managementReadRoles),
  planned("getPrebuilt", "GET /prebuilts/:id", "Show one installed prebuilt.", managementReadRoles),
  planned(
    "exportPrebuilt",
    "GET /prebuilts/:id/export",
    "Pack a prebuilt again from its documents as they are now.",
    managementReadRoles,
  ),
  planned("importPrebuilt", "POST /prebuilts/import", "Install a prebuilt with all documents it brings.", adminRoles),
  planned(
    "validatePrebuilt",
    "PUT /prebuilts/import/validation",
    "Check whether a package can be installed as a prebuilt; nothing is stored.",
    adminRoles,
  ),
  planned("updatePrebuilt", "PUT /prebuilts/:id", "Bring an installed prebuilt to another version.", adminRoles),
  planned("removePrebuilt", "DELETE /prebuilts/:id", "Uninstall a prebuilt together with its documents.", adminRoles),
];
