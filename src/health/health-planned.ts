import type { Operation } from "../core/operation.ts";
import { planned } from "../core/planned-operation.ts";
import { managementReadRoles } from "../core/roles.ts";

/** Health operations that are not built yet: spec platform-management.md §6.1. */
export const healthPlanned: readonly Operation[] = [
  planned("getAdaptersHealth", "GET /health/adapters", "State and figures of every adapter.", managementReadRoles),
  planned("getAdapterHealth", "GET /health/adapters/:name", "State and figures of one adapter.", managementReadRoles),
  planned(
    "getApplicationsHealth",
    "GET /health/applications",
    "State and figures of every application.",
    managementReadRoles,
  ),
  planned(
    "getApplicationHealth",
    "GET /health/applications/:name",
    "State and figures of one application.",
    managementReadRoles,
  ),
];
