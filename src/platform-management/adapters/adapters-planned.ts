import type { Operation } from "../../core/operation.ts";
import { planned } from "../../core/planned-operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";

/** Adapter operations that are not built yet: spec platform-management.md §4. */
export const adaptersPlanned: readonly Operation[] = [
  planned("getAdapters", "GET /adapters", "List the configured adapters.", managementReadRoles),
  planned("getAdapter", "GET /adapters/:name", "Show the configuration of an adapter.", managementReadRoles),
  planned("createAdapter", "POST /adapters", "Configure a new adapter.", adminRoles),
  planned("updateAdapter", "PUT /adapters/:name", "Replace the configuration of an adapter.", adminRoles),
  planned("deleteAdapter", "DELETE /adapters/:name", "Stop an adapter and remove its configuration.", adminRoles),
  planned("startAdapter", "PUT /adapters/:name/start", "Start a stopped adapter.", adminRoles),
  planned("stopAdapter", "PUT /adapters/:name/stop", "Stop a running adapter.", adminRoles),
  planned("restartAdapter", "PUT /adapters/:name/restart", "Stop an adapter and start it again.", adminRoles),
  planned(
    "updateAdapterProperties",
    "PUT /adapters/:name/properties",
    "Merge new properties into those of an adapter.",
    adminRoles,
  ),
  planned(
    "updateAdapterLogging",
    "PUT /adapters/:name/loglevel",
    "Set how much an adapter logs, and where.",
    adminRoles,
  ),
  planned(
    "getAdapterChangelogs",
    "GET /adapters/:name/changelogs",
    "Show what changed per release of an adapter.",
    managementReadRoles,
  ),
];

/** Schema operation of adapters; belongs to the application `Schema`. */
export const adapterSchemaPlanned: readonly Operation[] = [
  planned(
    "getAdapterSchema",
    "GET /schema/adapters/:name",
    "JSON schema that the configuration of an adapter must match.",
    managementReadRoles,
  ),
];
