import type { Operation } from "../../core/operation.ts";
import { planned } from "../../core/planned-operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";

/** Index operations that are not built yet: spec platform-management.md §10. */
export const indexesPlanned: readonly Operation[] = [
  planned("getIndexes", "GET /indexes", "Show which indexes every collection is meant to have.", managementReadRoles),
  planned(
    "checkIndexes",
    "GET /indexes/:collection/status",
    "Compare the indexes a collection has with those it is meant to have.",
    managementReadRoles,
  ),
  planned("createIndexes", "POST /indexes/:collection", "Build the missing indexes of a collection.", adminRoles),
];
