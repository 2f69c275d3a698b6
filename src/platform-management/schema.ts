import type { Application } from "../core/application.ts";
import { adapterSchemaPlanned } from "./adapters/index.ts";
import { applicationSchemaPlanned } from "./applications/index.ts";
import { integrationSchemaPlanned } from "./integrations/index.ts";
import { profileSchemaPlanned } from "./profiles/index.ts";

/** JSON schemas of what platform management configures: the field's application `Schema`. */
export const schema: Application = {
  id: "Schema",
  name: "Schemas",
  summary: "JSON schemas that configurations must match.",
  errorStyle: "string",
  operations: [
    ...adapterSchemaPlanned,
    ...applicationSchemaPlanned,
    ...integrationSchemaPlanned,
    ...profileSchemaPlanned,
  ],
};
