import type { Application } from "../core/application.ts";
import type { WorkflowEngineServices } from "../workflow-engine/index.ts";
import { jobOperations, taskOperations } from "./job-operations.ts";
import { operationsManagerPlanned } from "./operations-manager-planned.ts";

/** Operations manager: the newer routes to jobs and tasks, and automations. */
export const operationsManager: Application<WorkflowEngineServices> = {
  id: "OperationsManager",
  name: "Operations manager",
  summary: "Jobs and tasks for the people who run them, and automations.",
  operations: [...jobOperations, ...taskOperations, ...operationsManagerPlanned],
};
