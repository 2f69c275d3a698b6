import { Type } from "@sinclair/typebox";
import { operationOf, Reply, type Operation } from "../core/operation.ts";
import { managementReadRoles } from "../core/roles.ts";
import { HealthStatus, NodeHealth, ServerHealth, SystemHealth } from "./health-schema.ts";
import type { HealthServices } from "./health-service.ts";

const operation = operationOf<HealthServices>();

/** Health operations: seed document 1, spec platform-management.md §6.2–6.4. */
export const healthOperations: readonly Operation<HealthServices>[] = [
  operation({
    name: "getHealthStatus",
    method: "GET",
    path: "/health/status",
    aliases: [{ method: "GET", path: "/status" }],
    summary: "Say whether the platform can work; for load balancers and probes.",
    description: "Answers 503 while a service that the platform rests on does not run, and while the node ends.",
    roles: "public",
    query: Type.Object({
      "exclude-services": Type.Optional(Type.Boolean({ description: "Leave out the list of services." })),
    }),
    response: HealthStatus,
    handle: async (health, { query }) => {
      const { services = [], ...status } = await health.status();
      const isUp = services.every(({ status: serviceStatus }) => serviceStatus === "running");
      const body = query["exclude-services"] ? status : { ...status, services };
      return new Reply(body, { status: isUp ? 200 : 503 });
    },
  }),
  operation({
    name: "getSystemHealth",
    method: "GET",
    path: "/health/system",
    summary: "Figures of the machine: memory, load and processors.",
    roles: ["admin", "apiread"],
    response: SystemHealth,
    documentedAs: "results",
    handle: (health) => health.system(),
  }),
  operation({
    name: "getServerHealth",
    method: "GET",
    path: "/health/server",
    summary: "Figures of the server process: versions, memory and processor time.",
    roles: managementReadRoles,
    response: ServerHealth,
    handle: (health) => health.server(),
  }),
  operation({
    name: "getNodesHealth",
    method: "GET",
    path: "/health/nodes",
    summary: "Every node of the platform: where it runs, which release, and whether it is up.",
    description:
      "An addition of Linewright. A node that ended stays listed for a day. Answered by any node, from the store.",
    roles: managementReadRoles,
    response: Type.Object({ results: Type.Array(NodeHealth), total: Type.Integer({ minimum: 0 }) }),
    handle: async (health) => {
      const results = await health.nodes();
      return { results, total: results.length };
    },
  }),
];
