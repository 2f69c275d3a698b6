import type { Operation } from "../../core/operation.ts";
import { planned } from "../../core/planned-operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";

/** Integration operations that are not built yet: spec platform-management.md §7.5. */
export const integrationsPlanned: readonly Operation[] = [
  planned("getIntegrations", "GET /integrations", "List the configured integrations.", managementReadRoles),
  planned(
    "getIntegration",
    "GET /integrations/:name",
    "Show the configuration of an integration.",
    managementReadRoles,
  ),
  planned(
    "createIntegration",
    "POST /integrations",
    "Configure a new integration of an integration model.",
    adminRoles,
  ),
  planned("updateIntegration", "PUT /integrations/:name", "Replace the configuration of an integration.", adminRoles),
  planned(
    "updateIntegrationProperties",
    "PUT /integrations/:name/properties",
    "Merge new properties into those of an integration.",
    adminRoles,
  ),
  planned("deleteIntegration", "DELETE /integrations/:name", "Remove the configuration of an integration.", adminRoles),
];

/** Schema operation of integrations; belongs to the application `Schema`. */
export const integrationSchemaPlanned: readonly Operation[] = [
  planned(
    "getIntegrationSchema",
    "GET /schema/integrations/:name",
    "JSON schema that the configuration of an integration must match.",
    managementReadRoles,
  ),
];
