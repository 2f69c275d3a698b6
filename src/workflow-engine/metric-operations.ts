import { Type } from "@sinclair/typebox";
import { operationOf, Reply } from "../core/operation.ts";
import { readRoles } from "../core/roles.ts";
import { archivePath } from "./metrics/archive-service.ts";
import { JobMetricQuery, JobMetrics, MetricPage, TaskMetricQuery, TaskMetrics } from "./metrics/metric-schema.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";

const operation = operationOf<WorkflowEngineServices>();

/** Figures of jobs and tasks (workflow-engine.md §8.6). */
export const metricOperations = [
  operation({
    name: "getJobMetrics",
    method: "GET",
    path: "/workflow_engine/jobs/metrics",
    summary: "Run times and counts of jobs by workflow and day.",
    description:
      "One row for each workflow, over the jobs of everybody, with one element of `metrics` for each day (UTC) on which jobs of it ended. Sums of the row are those of its elements. Times are milliseconds. Only the last 30 days are looked at unless `greaterThanEquals` says otherwise. Jobs count when they are complete. `slaTargetsMissed` counts jobs that did not end within the `sla` of their workflow, on the day on which that time was over.",
    roles: readRoles,
    query: JobMetricQuery,
    response: MetricPage(JobMetrics),
    handle: ({ metrics }, { query }) => metrics.jobs(query),
  }),
  operation({
    name: "getTaskMetrics",
    method: "GET",
    path: "/workflow_engine/tasks/metrics",
    summary: "Run times and counts of tasks by workflow and day.",
    description:
      "One row for each task of a workflow, and one row with `global: true` for each application and name over all workflows, over the jobs of everybody. One element of `metrics` for each day (UTC) on which iterations finished, counted by finish state. Times are milliseconds. Only the last 30 days are looked at unless `greaterThanEquals` says otherwise.",
    roles: readRoles,
    query: TaskMetricQuery,
    response: MetricPage(TaskMetrics),
    handle: ({ metrics }, { query }) => metrics.tasks(query),
  }),
  operation({
    name: "prepareMetricsLogs",
    method: "GET",
    path: "/workflow_engine/metrics/jobs",
    summary: "Make a link to an archive of all figures.",
    description:
      "The path of a zip archive on this server, with its proof. Whoever has it may fetch the archive for 15 minutes, without other credentials, from any node.",
    roles: readRoles,
    response: Type.String(),
    handle: ({ metrics }) => metrics.archive.link(),
  }),
  operation({
    name: "downloadMetricsLogs",
    method: "GET",
    path: archivePath,
    summary: "Fetch the archive of all figures by a link.",
    description:
      "The zip archive holds `job-metrics` and `task-metrics`: a folder with one file of JSON lines for each day (UTC), and a table (CSV) over all days. Times are milliseconds. A link that is changed or out of date is refused with 403.",
    roles: "public",
    query: Type.Object({
      expires: Type.Integer({ minimum: 0, description: "Until when the link holds, milliseconds since the epoch." }),
      signature: Type.String({ minLength: 1 }),
    }),
    response: Type.String({ format: "binary" }),
    responseType: "application/zip",
    handle: async ({ metrics }, { query }) =>
      new Reply(await metrics.archive.open(query), {
        headers: { "content-disposition": 'attachment; filename="job-metrics.zip"' },
      }),
  }),
];
