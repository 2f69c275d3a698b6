import type { Application } from "../../core/application.ts";
import { integrationsPlanned } from "./integrations-planned.ts";

export { integrationSchemaPlanned } from "./integrations-planned.ts";

/** Integrations: configured instances of integration models. */
export const integrations: Application = {
  id: "Integrations",
  name: "Integrations",
  summary: "Configures integrations, the instances of integration models.",
  errorStyle: "string",
  operations: integrationsPlanned,
};
