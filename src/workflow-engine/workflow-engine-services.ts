import type { JobService } from "./jobs/job-service.ts";
import type { WorkflowService } from "./workflows/workflow-service.ts";
import type { WorkerSwitches } from "./worker-switches.ts";
import type { ManualTaskService } from "./jobs/manual-task-service.ts";

/** What the operations of the workflow engine and of the operations manager work on: one engine behind both families (decision 1). */
export interface WorkflowEngineServices {
  jobs: JobService;
  manualTasks: ManualTaskService;
  workflows: WorkflowService;
  workers: WorkerSwitches;
}
