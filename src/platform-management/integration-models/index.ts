import type { Application } from "../../core/application.ts";
import { integrationModelsPlanned } from "./integration-models-planned.ts";

/** Integration models: OpenAPI documents whose operations workflows can call. */
export const integrationModels: Application = {
  id: "IntegrationModels",
  name: "Integration models",
  summary: "Imports OpenAPI documents whose operations workflows can call.",
  errorStyle: "string",
  operations: integrationModelsPlanned,
};
