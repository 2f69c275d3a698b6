import type { Application } from "../../core/application.ts";
import { planned } from "../../core/planned-operation.ts";
import { managementReadRoles } from "../../core/roles.ts";

/** Figures about the running platform, for monitoring systems (spec: platform-management.md §6.5). */
export const monitoringMetrics: Application = {
  id: "MonitoringMetrics",
  name: "Monitoring metrics",
  summary: "Figures about the running platform, for monitoring systems.",
  errorStyle: "string",
  operations: [
    planned(
      "getMonitoringMetrics",
      "GET /monitoring_metrics",
      "Gather every figure about the running platform.",
      managementReadRoles,
    ),
  ],
};
