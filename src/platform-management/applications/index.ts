import type { Application } from "../../core/application.ts";
import { applicationsPlanned } from "./applications-planned.ts";

export { applicationSchemaPlanned } from "./applications-planned.ts";

/** Applications: the parts the platform itself is made of. */
export const applications: Application = {
  id: "Applications",
  name: "Applications",
  summary: "Configures and runs the applications the platform is made of.",
  errorStyle: "string",
  operations: applicationsPlanned,
};
