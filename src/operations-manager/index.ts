import type { Application } from "../core/application.ts";
import type { WorkflowEngineServices } from "../workflow-engine/index.ts";
import { eventOperations } from "./event-operations.ts";
import { historyOperations } from "./history-operations.ts";
import { jobOperations, taskOperations } from "./job-operations.ts";
import { manualTaskOperations } from "./manual-task-operations.ts";
import { operationsManagerPlanned } from "./operations-manager-planned.ts";
import { repairOperations } from "./repair-operations.ts";
import { sharingOperations } from "./sharing-operations.ts";

/** Operations manager: the newer routes to jobs and tasks, and automations. */
export const operationsManager: Application<WorkflowEngineServices> = {
  id: "OperationsManager",
  name: "Operations manager",
  summary: "Jobs and tasks for the people who run them, and automations.",
  operations: [
    ...jobOperations,
    ...historyOperations,
    ...repairOperations,
    ...sharingOperations,
    ...taskOperations,
    ...eventOperations,
    ...manualTaskOperations,
    ...operationsManagerPlanned,
  ],
};
