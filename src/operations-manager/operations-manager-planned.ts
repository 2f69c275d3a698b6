import type { Operation } from "../core/operation.ts";
import { planned, withAliases } from "../core/planned-operation.ts";
import { writeRoles } from "../core/roles.ts";

/** Operations manager's operations of the seeds that are not built yet. Roles: seed document 1. */
export const operationsManagerPlanned: readonly Operation[] = [
  withAliases(
    planned(
      "createAutomation",
      "POST /operations-manager/automations",
      "Store a new automation: a component to run, and who may see and change it.",
      writeRoles,
    ),
    "POST /operations_manager/automations",
  ),
];
