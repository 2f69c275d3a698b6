import type { Application } from "../../core/application.ts";
import { planned } from "../../core/planned-operation.ts";
import { managementReadRoles } from "../../core/roles.ts";

/** Adapter models: the kinds of adapters that are installed (spec: platform-management.md §4.2). */
export const adapterModels: Application = {
  id: "AdapterModels",
  name: "Adapter models",
  summary: "Names the kinds of adapters that are installed.",
  errorStyle: "string",
  operations: [
    planned(
      "getAdapterModelTypes",
      "GET /adapter-models/types",
      "Name every kind of adapter that can be configured.",
      managementReadRoles,
    ),
  ],
};
