import type { Application } from "../../core/application.ts";
import { adaptersPlanned } from "./adapters-planned.ts";

export { adapterSchemaPlanned } from "./adapters-planned.ts";

/** Adapters: connections to systems outside of the platform. */
export const adapters: Application = {
  id: "Adapters",
  name: "Adapters",
  summary: "Configures and runs adapters, the connections to outside systems.",
  errorStyle: "string",
  operations: adaptersPlanned,
};
