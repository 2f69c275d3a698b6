import type { Application } from "../core/application.ts";
import { healthOperations } from "./health-operations.ts";
import { healthPlanned } from "./health-planned.ts";
import type { HealthServices } from "./health-service.ts";

export type { NodeHealth, ServiceStatus } from "./health-schema.ts";
export { createHealthService, type Platform } from "./health-service.ts";
export { thisMachine } from "./machine.ts";

/** Health of the platform, its applications and adapters, and of the machine. */
export const health: Application<HealthServices> = {
  id: "Health",
  name: "Health",
  summary: "Tells how the platform, its parts and its machine are.",
  errorStyle: "string",
  operations: [...healthOperations, ...healthPlanned],
};
