import type { Operation } from "../../core/operation.ts";
import { planned, withAliases } from "../../core/planned-operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";

/**
 * Integration model operations that are not built yet: spec platform-management.md §7.4.
 * The aliases with `*` take names that contain a slash (decision 7).
 */
export const integrationModelsPlanned: readonly Operation[] = [
  planned(
    "getIntegrationModels",
    "GET /integration-models",
    "List the imported integration models.",
    managementReadRoles,
  ),
  withAliases(
    planned("getIntegrationModel", "GET /integration-models/:name", "Show one integration model.", managementReadRoles),
    "GET /integration-models/*",
  ),
  planned(
    "exportIntegrationModel",
    "GET /integration-models/:name/export",
    "Give back the OpenAPI document of an integration model as it was imported.",
    managementReadRoles,
  ),
  planned(
    "createIntegrationModel",
    "POST /integration-models",
    "Import an OpenAPI document as a new integration model.",
    adminRoles,
  ),
  planned(
    "updateIntegrationModel",
    "PUT /integration-models",
    "Replace an integration model by a newer OpenAPI document.",
    adminRoles,
  ),
  planned(
    "validateIntegrationModel",
    "PUT /integration-models/validation",
    "Check whether an OpenAPI document can become an integration model; nothing is stored.",
    adminRoles,
  ),
  withAliases(
    planned(
      "deleteIntegrationModel",
      "DELETE /integration-models/:name",
      "Remove an integration model that is not in use.",
      adminRoles,
    ),
    "DELETE /integration-models/*",
  ),
];
