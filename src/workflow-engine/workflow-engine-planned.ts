import type { Operation } from "../core/operation.ts";
import { planned } from "../core/planned-operation.ts";
import { readRoles, workRoles, writeRoles } from "../core/roles.ts";

/** Changing the course of jobs: spec workflow-engine.md §8.2. */
const jobControl: readonly Operation[] = [
  planned(
    "continueJob",
    "POST /workflow_engine/jobs/:jobId/continueJob",
    "Go on after a task as it last finished.",
    workRoles,
  ),
  planned(
    "retryTask",
    "POST /workflow_engine/jobs/:jobId/retryTask",
    "Run a failed task again, with other inputs if given.",
    workRoles,
  ),
  planned("fixJob", "POST /workflow_engine/fixJob", "Take a failed job back to an earlier task.", workRoles),
  planned(
    "revertToTask",
    "POST /workflow_engine/revertToTask",
    "Take a job back from one task to an earlier one.",
    workRoles,
  ),
];

/** Watchers and groups of a job: spec workflow-engine.md §8.3. */
const jobAccess: readonly Operation[] = [
  planned("addWatchers", "POST /workflow_engine/job/watchers/watch", "Let further people watch a job.", workRoles),
  planned("watchJob", "PUT /workflow_engine/job/:job_id/watch", "Watch a job oneself.", workRoles),
  planned("unwatchJob", "DELETE /workflow_engine/job/:job_id/watch", "Watch a job no longer.", workRoles),
  planned("listJobGroups", "GET /workflow_engine/jobs/:id/groups", "Name the groups that may see a job.", readRoles),
  planned("createJobGroupEntry", "POST /workflow_engine/jobs/:id/groups", "Let one more group see a job.", writeRoles),
  planned("replaceJobGroups", "PUT /workflow_engine/jobs/:id/groups", "Set the groups that may see a job.", writeRoles),
  planned("deleteJobGroups", "DELETE /workflow_engine/jobs/:id/groups", "Open a job to everybody again.", writeRoles),
  planned("removeJobGroup", "DELETE /workflow_engine/jobs/:id/groups/:group", "Take a job from one group.", writeRoles),
];

/** Manual tasks: spec workflow-engine.md §8.4. GET of a page shows it, POST finishes the task (decision 8). */
const manualTasks: readonly Operation[] = [
  planned(
    "getManualTaskController",
    "GET /workflow_engine/tasks/controller/job/:jobId/task/:taskId",
    "Say which page works a manual task, and with what data.",
    workRoles,
  ),
  planned(
    "ErrorHandling",
    "GET /workflow_engine/task/ErrorHandling",
    "Page that shows an error and asks how to go on.",
    workRoles,
  ),
  planned(
    "finishErrorHandling",
    "POST /workflow_engine/task/ErrorHandling",
    "Finish the handling of an error.",
    workRoles,
  ),
  planned(
    "ViewData",
    "GET /workflow_engine/task/ViewData",
    "Page with a message and data to confirm or to decide on.",
    workRoles,
  ),
  planned(
    "finishViewData",
    "POST /workflow_engine/task/ViewData",
    "Finish the view of data with the decision.",
    workRoles,
  ),
  planned("ViewDiff", "GET /workflow_engine/task/ViewDiff", "Page that shows how two texts differ.", workRoles),
  planned("finishViewDiff", "POST /workflow_engine/task/ViewDiff", "Finish the view of a difference.", workRoles),
];

/** Reading one job: spec workflow-engine.md §8.5. */
const jobReading: readonly Operation[] = [
  planned(
    "getJobVisualizationData",
    "GET /workflow_engine/jobs/visdata/:job_id",
    "Data that a picture of a job is drawn from.",
    readRoles,
  ),
];

/** Finding jobs, tasks and workflows: spec workflow-engine.md §8.6. */
const searches: readonly Operation[] = [
  planned("searchJobs", "POST /workflow_engine/jobs/search", "Search jobs by query, page by page.", readRoles),
  planned(
    "searchTasks",
    "POST /workflow_engine/tasks/search",
    "Search tasks of open jobs by query, page by page.",
    readRoles,
  ),
  planned(
    "searchWorkflows",
    "POST /workflow_engine/workflows/search",
    "Search workflows by query, page by page.",
    readRoles,
  ),
  planned("getJobList", "POST /workflow_engine/getJobList/:status", "Page of the jobs in a status.", readRoles),
  planned(
    "getAssociatedJobs",
    "POST /workflow_engine/getAssociatedJobs",
    "Page of the jobs one has had to do with.",
    readRoles,
  ),
  planned(
    "getJobFromTaskQuery",
    "POST /workflow_engine/getJobFromTaskQuery",
    "Jobs that have a task which matches a query.",
    readRoles,
  ),
  planned(
    "find",
    "POST /workflow_engine/jobs/find",
    "Job documents that match a query, as far as asked for.",
    readRoles,
  ),
  planned("queryJobs", "POST /workflow_engine/queryJobs", "Jobs that match a query.", readRoles),
  planned(
    "getTask",
    "POST /workflow_engine/getTask",
    "The first task that matches a query, reduced by a filter.",
    readRoles,
  ),
  planned(
    "queryTasksBrief",
    "POST /workflow_engine/queryTasksBrief",
    "Short rows of open tasks that match a query.",
    readRoles,
  ),
  planned(
    "getJobMetrics",
    "GET /workflow_engine/jobs/metrics",
    "Run times and counts of jobs by workflow and day.",
    readRoles,
  ),
  planned(
    "getTaskMetrics",
    "GET /workflow_engine/tasks/metrics",
    "Run times and counts of tasks by workflow and day.",
    readRoles,
  ),
  planned(
    "prepareMetricsLogs",
    "GET /workflow_engine/metrics/jobs",
    "Pack the logs of job figures and tell where to fetch them.",
    readRoles,
  ),
];

/** What helps to write and test workflows: spec workflow-engine.md §8.7. */
const workflowHelp: readonly Operation[] = [
  planned(
    "getAllLoopTasks",
    "POST /workflow_engine/getAllLoopTasks",
    "Tasks of a workflow that lie in loops.",
    readRoles,
  ),
  planned("validateAllLoops", "POST /workflow_engine/validateAllLoops", "Check the loops of a workflow.", readRoles),
  planned(
    "getTaskDetails",
    "GET /workflow_engine/locations/:location/packages/:pckg/tasks/:method",
    "Describe a task: its variables, types and page.",
    readRoles,
  ),
];

/** Operations of the workflow engine that are not built yet. */
export const workflowEnginePlanned: readonly Operation[] = [
  ...jobControl,
  ...jobAccess,
  ...manualTasks,
  ...jobReading,
  ...searches,
  ...workflowHelp,
];
