import { automationCatalog } from "./automation-catalog/index.ts";
import { automationGateway } from "./automation-gateway/index.ts";
import { automationStudio } from "./automation-studio/index.ts";
import { commandTemplates } from "./command-templates/index.ts";
import type { Application } from "./core/application.ts";
import { devices } from "./devices/index.ts";
import { health } from "./health/index.ts";
import { jsonForms } from "./json-forms/index.ts";
import { operationsManager } from "./operations-manager/index.ts";
import { orchestratorManager } from "./orchestrator-manager/index.ts";
import { adapterModels } from "./platform-management/adapter-models/index.ts";
import { adapters } from "./platform-management/adapters/index.ts";
import { applications } from "./platform-management/applications/index.ts";
import { authentication } from "./platform-management/authentication/index.ts";
import { indexes } from "./platform-management/indexes/index.ts";
import { integrationModels } from "./platform-management/integration-models/index.ts";
import { integrations } from "./platform-management/integrations/index.ts";
import { monitoringMetrics } from "./platform-management/monitoring-metrics/index.ts";
import { prebuiltRepositories } from "./platform-management/prebuilt-repositories/index.ts";
import { prebuilts } from "./platform-management/prebuilts/index.ts";
import { profiles } from "./platform-management/profiles/index.ts";
import { schema } from "./platform-management/schema.ts";
import { userManagement } from "./platform-management/user-management/index.ts";
import { templateBuilder } from "./template-builder/index.ts";
import { transformationsApplication } from "./transformations/index.ts";
import { workflowBuilder } from "./workflow-builder/index.ts";
import { workflowEngine } from "./workflow-engine/index.ts";

/** Every application of the product, in the order of the reference. */
export const applicationList = [
  workflowEngine,
  workflowBuilder,
  automationStudio,
  transformationsApplication,
  templateBuilder,
  operationsManager,
  automationCatalog,
  commandTemplates,
  devices,
  orchestratorManager,
  automationGateway,
  jsonForms,
  health,
  userManagement,
  authentication,
  applications,
  adapters,
  adapterModels,
  integrations,
  integrationModels,
  schema,
  profiles,
  prebuilts,
  prebuiltRepositories,
  indexes,
  monitoringMetrics,
] as readonly Application[];
