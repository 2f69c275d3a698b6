import { Type } from "@sinclair/typebox";
import { jsonReply, operationOf } from "../core/operation.ts";
import { readRoles, workRoles } from "../core/roles.ts";
import { runCommand } from "./jobs/job-commands.ts";
import { jobVariables, taskStatuses } from "./jobs/job-document.ts";
import { detailedDocument, mergedDocument, nextTasks, shallowDocument } from "./jobs/job-views.ts";
import { documentOf } from "./jobs/job-service.ts";
import { startAsAsked } from "./jobs/start-request.ts";
import {
  CancelOptions,
  JobDocument,
  JobDocumentOrPreview,
  PreviewQuery,
  StartOptionsSchema,
  WaitQuery,
} from "./job-schema.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";

const operation = operationOf<WorkflowEngineServices>();
const JobIdBody = Type.Object({ job_id: Type.String({ minLength: 1 }) }, { additionalProperties: false });
const CancelBody = Type.Object(
  { ...JobIdBody.properties, ...CancelOptions.properties },
  { additionalProperties: false },
);
const JobIdParams = Type.Object({ job_id: Type.String() });
const JobDataParams = Type.Object({ job_data: Type.String() });

/** Starting and steering jobs, older family (workflow-engine.md §8.2). Each answers the job document. */
export const jobControlOperations = [
  operation({
    name: "startJobWithOptions",
    method: "POST",
    path: "/workflow_engine/startJobWithOptions/:workflow",
    summary: "Start a workflow as a new job.",
    description:
      "The job runs until it needs the outside before the answer is given: a workflow of engine tasks alone is complete by then. Everything the answer shows is durable.",
    roles: workRoles,
    params: Type.Object({ workflow: Type.String({ minLength: 1 }) }),
    query: WaitQuery,
    // Shipped clients repeat the workflow's name in the body.
    body: Type.Object(
      { options: Type.Optional(StartOptionsSchema), workflow: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    isBodyOptional: true,
    response: JobDocument,
    handle: async (services, { params, query, body, caller }) =>
      jsonReply(
        services.jobs.text(await startAsAsked(services, { ...params, ...query, options: body?.options }, caller)),
      ),
  }),
  steering("pauseJob", "pause", "Hold a running job: what runs is finished, nothing new begins."),
  steering("resumeJob", "resume", "Let a paused or errored job go on; tasks in error run again."),
  steering(
    "cancelJob",
    "cancel",
    "End a job that has not ended, and its child jobs. What it did and can undo is undone first.",
  ),
];

function steering(name: string, event: "pause" | "resume" | "cancel", summary: string) {
  return operation({
    name,
    method: "POST",
    path: `/workflow_engine/${name}`,
    summary,
    roles: workRoles,
    query: PreviewQuery,
    body: event === "cancel" ? CancelBody : JobIdBody,
    response: JobDocumentOrPreview,
    handle: ({ jobs }, { body: { job_id: jobId, ...options }, query, caller }) =>
      runCommand(jobs, jobId, { event, ...options }, { caller, ...query }),
  });
}

/** Reading one job, older family (workflow-engine.md §8.5). */
export const jobReadingOperations = [
  operation({
    name: "getJob",
    method: "GET",
    path: "/workflow_engine/getJob/:job_id",
    summary: "A job, every task merged with its latest iteration: resolved values in and out.",
    roles: readRoles,
    params: JobIdParams,
    response: JobDocument,
    handle: async ({ jobs }, { params, caller }) => mergedDocument(await jobs.view(params.job_id, caller)),
  }),
  operation({
    name: "getEntireJob",
    method: "GET",
    path: "/workflow_engine/getEntireJob/:job_data",
    summary: "Everything known of a job: tasks with resolved values, and job variables.",
    roles: readRoles,
    params: JobDataParams,
    response: JobDocument,
    handle: async ({ jobs }, { params, caller }) => mergedDocument(await jobs.view(params.job_data, caller)),
  }),
  operation({
    name: "getJobShallow",
    method: "GET",
    path: "/workflow_engine/getJobShallow/:job_data",
    summary: "A job without the tasks' application, incoming, outgoing and error values.",
    roles: readRoles,
    params: JobDataParams,
    response: JobDocument,
    handle: async ({ jobs }, { params, caller }) => shallowDocument(await jobs.view(params.job_data, caller)),
  }),
  operation({
    name: "getJobDetails",
    method: "GET",
    path: "/workflow_engine/job/:job_id/details",
    summary: "A job with its references as the workflow wrote them, and its status.",
    roles: readRoles,
    params: JobIdParams,
    response: JobDocument,
    handle: async ({ jobs }, { params, caller }) => detailedDocument(await jobs.view(params.job_id, caller)),
  }),
  operation({
    name: "getJobOutput",
    method: "GET",
    path: "/workflow_engine/job/:job_id/output",
    summary: "The job variables, as one flat object.",
    roles: readRoles,
    params: JobIdParams,
    response: Type.Record(Type.String(), Type.Unknown()),
    handle: async ({ jobs }, { params, caller }) => jobVariables((await jobs.view(params.job_id, caller)).state),
  }),
  operation({
    name: "getTaskStatuses",
    method: "GET",
    path: "/workflow_engine/job/statuses/:job_id",
    summary: "The status of every task, by task id.",
    roles: readRoles,
    params: JobIdParams,
    response: Type.Record(Type.String(), Type.String()),
    handle: async ({ jobs }, { params, caller }) => taskStatuses((await jobs.view(params.job_id, caller)).state),
  }),
  operation({
    name: "getJobVisualizationData",
    method: "GET",
    path: "/workflow_engine/jobs/visdata/:job_id",
    summary: "Data that a picture of a job is drawn from.",
    description: "The tasks that each task leads to, by task id, and the job.",
    roles: readRoles,
    params: JobIdParams,
    response: Type.Object({
      transitions: Type.Record(Type.String(), Type.Array(Type.String())),
      job: JobDocument,
    }),
    handle: async ({ jobs }, { params, caller }) => {
      const view = await jobs.view(params.job_id, caller);
      return { transitions: nextTasks(view), job: documentOf(view) };
    },
  }),
];
