import type { Operation } from "../../core/operation.ts";
import { planned } from "../../core/planned-operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";

/** Application operations that are not built yet: spec platform-management.md §5. */
export const applicationsPlanned: readonly Operation[] = [
  planned("getApplications", "GET /applications", "List the applications of the platform.", managementReadRoles),
  planned(
    "getApplication",
    "GET /applications/:name",
    "Show the configuration of an application.",
    managementReadRoles,
  ),
  planned("updateApplication", "PUT /applications/:name", "Replace the configuration of an application.", adminRoles),
  planned("startApplication", "PUT /applications/:name/start", "Start a stopped application.", adminRoles),
  planned("stopApplication", "PUT /applications/:name/stop", "Stop a running application.", adminRoles),
  planned(
    "restartApplication",
    "PUT /applications/:name/restart",
    "Stop an application and start it again.",
    adminRoles,
  ),
  planned(
    "updateApplicationProperties",
    "PUT /applications/:name/properties",
    "Merge new properties into those of an application.",
    adminRoles,
  ),
  planned(
    "updateApplicationLogging",
    "PUT /applications/:name/loglevel",
    "Set how much an application logs, and where.",
    adminRoles,
  ),
  planned(
    "getApplicationChangelogs",
    "GET /applications/:name/changelogs",
    "Show what changed per release of an application.",
    managementReadRoles,
  ),
];

/** Schema operation of applications; belongs to the application `Schema`. */
export const applicationSchemaPlanned: readonly Operation[] = [
  planned(
    "getApplicationSchema",
    "GET /schema/applications/:name",
    "JSON schema that the configuration of an application must match.",
    managementReadRoles,
  ),
];
