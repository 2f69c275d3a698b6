import type { Application } from "../core/application.ts";
import { taskLibrary } from "../task-library/index.ts";
import { jobControlOperations, jobReadingOperations } from "./job-operations.ts";
import { taskWorkOperations } from "./task-operations.ts";
import { workflowEnginePlanned } from "./workflow-engine-planned.ts";
import { workerOperations } from "./worker-operations.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";
import { workflowHelpOperations } from "./workflow-help-operations.ts";

/** The workflow engine: jobs, tasks and what helps to write workflows. */
export const workflowEngine: Application<WorkflowEngineServices> = {
  id: "WorkFlowEngine",
  name: "Workflow engine",
  summary: "Runs workflows as durable jobs.",
  operations: [
    ...workerOperations,
    ...jobControlOperations,
    ...jobReadingOperations,
    ...taskWorkOperations,
    ...workflowHelpOperations,
    ...workflowEnginePlanned,
  ],
  tasks: taskLibrary,
};

export { createEngine, type Engine, type EngineDependencies } from "./engine.ts";
export type { CallerDirectory, TaskCall, TaskCaller } from "./jobs/task-calls.ts";
export { documentOf } from "./jobs/job-service.ts";
export { rebuildProjections, type RebuildOptions, type RebuildReport } from "./jobs/rebuild-projections.ts";
export type { RowDifference } from "./jobs/projection-rows.ts";
export { personOf } from "./jobs/manual-task-service.ts";
export { JobDocument, StartOptionsSchema, TaskDataSchema, TaskDocument, WaitQuery } from "./job-schema.ts";
export type { WorkflowEngineServices } from "./workflow-engine-services.ts";
export { WorkflowProblem } from "./workflow-schema.ts";
export { toStoredWorkflow, withProblems, type StoredWorkflow } from "./workflows/stored-workflow.ts";
export { modelsOnly, validateTogether, type FindTaskModel } from "./workflows/workflow-environment.ts";
export { requireOutline, WorkflowOutline } from "./workflows/workflow-outline.ts";
export { createWorkflowService, type WorkflowService } from "./workflows/workflow-service.ts";
