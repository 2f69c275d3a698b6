import type { Application } from "../core/application.ts";
import { taskLibrary } from "../task-library/index.ts";
import { furtherOperations } from "./further-operations.ts";
import { historyOperations } from "./history-operations.ts";
import { jobControlOperations, jobReadingOperations } from "./job-operations.ts";
import { lockOperations } from "./lock-operations.ts";
import { loopOperations } from "./loop-operations.ts";
import { manualPageOperations } from "./manual-page-operations.ts";
import { sharingOperations } from "./sharing-operations.ts";
import { searchOperations } from "./search-operations.ts";
import { taskModelOperations } from "./task-model-operations.ts";
import { metricOperations } from "./metric-operations.ts";
import { taskTrialOperations } from "./task-trial-operations.ts";
import { taskWorkOperations } from "./task-operations.ts";
import { repairOperations } from "./repair-operations.ts";
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
    ...lockOperations,
    ...jobControlOperations,
    ...repairOperations,
    ...jobReadingOperations,
    ...historyOperations,
    ...sharingOperations,
    ...taskWorkOperations,
    ...manualPageOperations,
    ...metricOperations,
    ...searchOperations,
    ...workflowHelpOperations,
    ...loopOperations,
    ...taskModelOperations,
    ...taskTrialOperations,
    ...furtherOperations,
  ],
  tasks: taskLibrary,
};

export { createEngine, type Engine, type EngineDependencies } from "./engine.ts";
export { errorResult } from "./interpreter/task-error.ts";
export type { CallerDirectory, HeavyTasks, TaskCall, TaskCaller } from "./jobs/task-calls.ts";
export { requireParsed } from "./interpreter/stored-arguments.ts";
export { documentOf } from "./jobs/job-service.ts";
export { startAsAsked } from "./jobs/start-request.ts";
export { runCommand } from "./jobs/job-commands.ts";
export { surveyLocks } from "./jobs/lock-survey.ts";
export type { NamedTask } from "./interpreter/task-names.ts";
export { HistoryEntrySchema, HistoryQuery } from "./history-operations.ts";
export { readArchive } from "./jobs/archive-files.ts";
export type { ArchivedJob, ArchivedPiece, ArchivedText, ArchivedValue, ArchiveLine } from "./jobs/archive-lines.ts";
export { rebuildProjections, type RebuildOptions, type RebuildReport } from "./jobs/rebuild-projections.ts";
export type { RowDifference } from "./jobs/projection-rows.ts";
export { personOf } from "./jobs/manual-task-service.ts";
export {
  CancelOptions,
  GroupBody,
  GroupsBody,
  JobDocument,
  JobDocumentOrPreview,
  PreviewQuery,
  RetryVariables,
  StartOptionsSchema,
  TaskDataSchema,
  TaskDocument,
  TaskName,
  WaitQuery,
} from "./job-schema.ts";
export type { WorkflowEngineServices } from "./workflow-engine-services.ts";
export { validateAsAsked, workflowValidation } from "./workflow-validation.ts";
export { toStoredWorkflow, withProblems, type StoredWorkflow } from "./workflows/stored-workflow.ts";
export { modelsOnly, validateTogether, type FindTaskModel } from "./workflows/workflow-environment.ts";
export { requireOutline, WorkflowOutline } from "./workflows/workflow-outline.ts";
export { createWorkflowService, type WorkflowService } from "./workflows/workflow-service.ts";
export { TaskAddressParams } from "./task-model-operations.ts";
export {
  createTaskModelsOf,
  requireTask,
  summaryOf,
  TaskApp,
  TaskDetails,
  TaskSummary,
  type TaskModels,
} from "./workflows/task-models.ts";
export { createSearchService, type SearchService } from "./search/search-service.ts";
export { createManualPages } from "./manual-views/manual-pages.ts";
export { changedTo, groupRules, GroupsReply } from "./sharing-operations.ts";
export { workListQuery, workListViews } from "./jobs/work-list.ts";
