import type { EventService } from "./jobs/event-service.ts";
import type { EventStreams } from "./jobs/event-streams.ts";
import type { JobDeletion } from "./jobs/job-deletion.ts";
import type { JobHistory } from "./jobs/job-history.ts";
import type { JobService } from "./jobs/job-service.ts";
import type { JobSharing } from "./jobs/job-sharing-service.ts";
import type { ManualPages } from "../core/manual-view.ts";
import type { SearchService } from "./search/search-service.ts";
import type { TaskTrials } from "./jobs/task-trials.ts";
import type { TaskModels } from "./workflows/task-models.ts";
import type { WorkflowService } from "./workflows/workflow-service.ts";
import type { WorkerPool } from "../worker-pool/index.ts";
import type { WorkerSwitches } from "./worker-switches.ts";
import type { MetricService } from "./metrics/metric-service.ts";
import type { LockService } from "./jobs/lock-service.ts";
import type { ManualTaskService } from "./jobs/manual-task-service.ts";

/** What the operations of the workflow engine and of the operations manager work on: one engine behind both families (decision 1). */
export interface WorkflowEngineServices {
  jobs: JobService;
  manualTasks: ManualTaskService;
  manualPages: ManualPages;
  sharing: JobSharing;
  history: JobHistory;
  deletion: Pick<JobDeletion, "delete">;
  metrics: MetricService;
  workflows: WorkflowService;
  search: SearchService;
  taskModels: TaskModels;
  events: EventService;
  streams: EventStreams;
  workers: WorkerSwitches;
  locks: LockService;
  trials: TaskTrials;
  pool: WorkerPool;
}
