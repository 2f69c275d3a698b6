import { Type, type TSchema } from "@sinclair/typebox";
import type { ListSelection } from "../core/list-query.ts";
import { selectFilterList } from "../core/list-query.ts";
import { operationOf } from "../core/operation.ts";
import { readRoles, workRoles } from "../core/roles.ts";
import { FilterListQuery, IdParams } from "../core/schemas.ts";
import {
  documentOf,
  JobDocument,
  personOf,
  StartOptionsSchema,
  TaskDataSchema,
  TaskDocument,
  WaitQuery,
  type WorkflowEngineServices,
} from "../workflow-engine/index.ts";

const operation = operationOf<WorkflowEngineServices>();

/** The reply of this application: what happened, the thing itself, and the page it is on (workflow-engine.md §9.1). */
const Envelope = (data: TSchema) =>
  Type.Object({ message: Type.String(), data, metadata: Type.Object({}, { additionalProperties: true }) });

function envelope(message: string, data: unknown, metadata: object = {}) {
  return { message, data, metadata };
}

function pageEnvelope(selection: ListSelection, { results, total }: { results: object[]; total: number }) {
  const { skip, limit } = selection;
  const next = skip + results.length;
  return envelope("Successfully retrieved items", results, {
    skip,
    limit,
    total,
    nextPageSkip: next < total ? next : null,
    previousPageSkip: skip > 0 ? Math.max(0, skip - limit) : null,
    currentPageSize: results.length,
    hints: [],
  });
}

const JobIdsBody = Type.Object(
  { jobIds: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1000 }) },
  { additionalProperties: false },
);

/** Jobs, newer family (workflow-engine.md §9.2): the same engine as `/workflow_engine`. */
export const jobOperations = [
  operation({
    name: "startJob",
    method: "POST",
    path: "/operations-manager/jobs/start",
    aliases: [{ method: "POST", path: "/operations_manager/jobs/start" }],
    summary: "Start a workflow as a new job.",
    roles: workRoles,
    query: WaitQuery,
    body: Type.Object(
      { workflow: Type.String({ minLength: 1 }), options: Type.Optional(StartOptionsSchema) },
      { additionalProperties: false },
    ),
    response: Envelope(JobDocument),
    handle: async ({ jobs }, { query, body, caller }) => {
      const view = await jobs.start(body.workflow, body.options ?? {}, caller, query.wait);
      return envelope("Successfully started job", documentOf(view));
    },
  }),
  operation({
    name: "getJobs",
    method: "GET",
    path: "/operations-manager/jobs",
    summary: "Page of jobs the caller may see: headers, without tasks and variables.",
    roles: readRoles,
    query: FilterListQuery,
    response: Envelope(Type.Array(JobDocument)),
    handle: async ({ jobs }, { query, caller }) => {
      const selection = selectFilterList(query, {
        defaultField: "name",
        numbers: ["metrics.start_time", "metrics.end_time"],
      });
      return pageEnvelope(selection, await jobs.list(selection, caller));
    },
  }),
  operation({
    name: "getJob",
    method: "GET",
    path: "/operations-manager/jobs/:id",
    summary: "One job with its tasks and variables; `wait` holds the answer until it is at rest.",
    roles: readRoles,
    params: IdParams,
    query: Type.Object({
      ...WaitQuery.properties,
      include: Type.Optional(Type.String()),
      exclude: Type.Optional(Type.String()),
      dereference: Type.Optional(Type.String()),
    }),
    response: Envelope(JobDocument),
    handle: async ({ jobs }, { params, query, caller }) => {
      const view = await jobs.viewAtRest(params.id, query.wait ?? 0, caller);
      return envelope("Successfully retrieved item", documentOf(view));
    },
  }),
  steering("pauseJobs", "pause", "Hold running jobs."),
  steering("resumeJobs", "resume", "Let paused or errored jobs go on."),
  steering("cancelJobs", "cancel", "End jobs that have not ended, and their child jobs."),
];

function steering(name: string, event: "pause" | "resume" | "cancel", summary: string) {
  return operation({
    name,
    method: "POST",
    path: `/operations-manager/jobs/${event}`,
    summary,
    description: "Jobs are taken in order; the first that cannot be changed ends the request with its error.",
    roles: workRoles,
    body: JobIdsBody,
    response: Envelope(Type.Array(JobDocument)),
    handle: async ({ jobs }, { body, caller }) => {
      const documents: object[] = [];
      for (const jobId of body.jobIds) {
        documents.push(documentOf(await jobs.apply(jobId, { event, by: personOf(caller) }, caller)));
      }
      return envelope(`Successfully applied ${event}`, documents);
    },
  });
}

const TaskIdParams = Type.Object({ taskId: Type.String({ minLength: 1 }) });

/** Tasks, newer family. `taskId` is the identifier of an iteration. */
export const taskOperations = [
  operation({
    name: "getTasks",
    method: "GET",
    path: "/operations-manager/tasks",
    summary: "Page of open tasks: running, waiting for a person or a time, in error.",
    roles: readRoles,
    query: FilterListQuery,
    response: Envelope(Type.Array(TaskDocument)),
    handle: async ({ manualTasks }, { query, caller }) => {
      const selection = selectFilterList(query, { defaultField: "name" });
      return pageEnvelope(selection, await manualTasks.list(selection, caller));
    },
  }),
  operation({
    name: "getTask",
    method: "GET",
    path: "/operations-manager/tasks/:taskId",
    summary: "One task with its resolved values.",
    roles: readRoles,
    params: TaskIdParams,
    query: FilterListQuery,
    response: Envelope(TaskDocument),
    handle: async ({ manualTasks }, { params, caller }) =>
      envelope("Successfully retrieved item", await manualTasks.get(params.taskId, caller)),
  }),
  operation({
    name: "claimTask",
    method: "POST",
    path: "/operations-manager/tasks/:taskId/claim",
    summary: "Take a manual task.",
    roles: workRoles,
    params: TaskIdParams,
    body: Type.Object({}, { additionalProperties: false }),
    isBodyOptional: true,
    response: Envelope(TaskDocument),
    handle: async ({ manualTasks }, { params, caller }) =>
      envelope("Successfully claimed task", await manualTasks.claim(params.taskId, caller)),
  }),
  operation({
    name: "releaseTask",
    method: "POST",
    path: "/operations-manager/tasks/:taskId/release",
    summary: "Give a claimed manual task back.",
    roles: workRoles,
    params: TaskIdParams,
    body: Type.Object({}, { additionalProperties: false }),
    isBodyOptional: true,
    response: Envelope(TaskDocument),
    handle: async ({ manualTasks }, { params, caller }) =>
      envelope("Successfully released task", await manualTasks.release(params.taskId, caller)),
  }),
  operation({
    name: "finishManualTask",
    method: "POST",
    path: "/operations-manager/jobs/:jobId/tasks/:taskId/finish",
    summary: "Finish a manual task with its finish state and outgoing variables.",
    roles: workRoles,
    params: Type.Object({ jobId: Type.String({ minLength: 1 }), taskId: Type.String({ minLength: 1 }) }),
    body: Type.Object({ taskData: Type.Optional(TaskDataSchema) }, { additionalProperties: false }),
    isBodyOptional: true,
    response: Envelope(JobDocument),
    handle: async ({ manualTasks }, { params, body, caller }) =>
      envelope(
        "Successfully finished task",
        await manualTasks.finish(params.jobId, params.taskId, body?.taskData ?? {}, caller),
      ),
  }),
];
