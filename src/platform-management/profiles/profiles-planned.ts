import type { Operation } from "../../core/operation.ts";
import { planned } from "../../core/planned-operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";

/** Profile operations that are not built yet: spec platform-management.md §8. */
export const profilesPlanned: readonly Operation[] = [
  planned("getProfiles", "GET /profiles", "List the server's profiles.", managementReadRoles),
  planned("getProfile", "GET /profiles/:id", "Show one profile.", managementReadRoles),
  planned("createProfile", "POST /profiles", "Add a profile; what is not given takes its default.", adminRoles),
  planned("updateProfile", "PUT /profiles/:id", "Merge new settings into a profile.", adminRoles),
  planned("deleteProfile", "DELETE /profiles/:id", "Remove a profile that is not active.", adminRoles),
  planned("switchActiveProfile", "PUT /profiles/:id/active", "Make this profile the active one.", adminRoles),
];

/** Schema operation of profiles; belongs to the application `Schema`. */
export const profileSchemaPlanned: readonly Operation[] = [
  planned("getProfileSchema", "GET /schema/profiles", "JSON schema that a profile must match.", managementReadRoles),
];
