import { Type } from "@sinclair/typebox";
import { selectFilterList } from "../core/list-query.ts";
import { jsonReply, operationOf } from "../core/operation.ts";
import { readRoles, workRoles } from "../core/roles.ts";
import { FilterListQuery, IdParams } from "../core/schemas.ts";
import {
  CancelOptions,
  documentOf,
  JobDocument,
  JobDocumentOrPreview,
  PreviewQuery,
  runCommand,
  startAsAsked,
  StartOptionsSchema,
  TaskDataSchema,
  TaskDocument,
  WaitQuery,
  workListQuery,
  workListViews,
  type WorkflowEngineServices,
} from "../workflow-engine/index.ts";
import { changeEnvelope, Envelope, envelope, envelopeText, pageEnvelope } from "./envelope.ts";

const operation = operationOf<WorkflowEngineServices>();

const names = (description: string) => Type.Optional(Type.String({ description }));

/** How one document is shown: lists of members, separated by commas. */
const presentationProperties = {
  include: names("Members to keep."),
  exclude: names("Members to leave out."),
  dereference: names(
    "Members to be replaced by what they name: accounts (created_by, user, owner, watchers); job, of a task.",
  ),
};

const JobIdsBody = Type.Object(
  { jobIds: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1000 }) },
  { additionalProperties: false },
);

const CancelBody = Type.Object(
  { ...JobIdsBody.properties, ...CancelOptions.properties },
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
    handle: async (services, { query, body, caller }) =>
      jsonReply(
        envelopeText(
          "Successfully started job",
          services.jobs.text(await startAsAsked(services, { ...body, ...query }, caller)),
        ),
      ),
  }),
  operation({
    name: "getJobs",
    method: "GET",
    path: "/operations-manager/jobs",
    summary: "Page of jobs the caller may see: headers, without tasks and variables.",
    roles: readRoles,
    query: FilterListQuery,
    response: Envelope(Type.Array(JobDocument)),
    handle: async ({ jobs, search }, { query, caller }) => {
      const selection = selectFilterList(query, {
        defaultField: "name",
        numbers: ["metrics.start_time", "metrics.end_time"],
      });
      const { results, total } = await jobs.list(selection, caller);
      return pageEnvelope(selection, { results: await search.dereference(results, query, caller), total });
    },
  }),
  operation({
    name: "getJob",
    method: "GET",
    path: "/operations-manager/jobs/:id",
    summary: "One job with its tasks and variables; `wait` holds the answer until it is at rest.",
    roles: readRoles,
    params: IdParams,
    query: Type.Object({ ...WaitQuery.properties, ...presentationProperties }),
    response: Envelope(Type.Partial(JobDocument, { additionalProperties: true })),
    handle: async ({ jobs, search }, { params, query, caller }) => {
      const view = await jobs.viewAtRest(params.id, query.wait ?? 0, caller);
      return envelope("Successfully retrieved item", await search.present(documentOf(view), query, caller));
    },
  }),
  steering("pauseJobs", "pause", "Hold running jobs."),
  steering("resumeJobs", "resume", "Let paused or errored jobs go on."),
  steering(
    "cancelJobs",
    "cancel",
    "End jobs that have not ended, and their child jobs. What they did and can undo is undone first.",
  ),
];

function steering(name: string, event: "pause" | "resume" | "cancel", summary: string) {
  return operation({
    name,
    method: "POST",
    path: `/operations-manager/jobs/${event}`,
    summary,
    description: "Jobs are taken in order; the first that cannot be changed ends the request with its error.",
    roles: workRoles,
    query: PreviewQuery,
    body: event === "cancel" ? CancelBody : JobIdsBody,
    response: Envelope(Type.Array(JobDocumentOrPreview)),
    handle: async ({ jobs }, { body: { jobIds, ...options }, query, caller }) => {
      const answers: object[] = [];
      for (const jobId of jobIds)
        answers.push(await runCommand(jobs, jobId, { event, ...options }, { caller, ...query }));
      return changeEnvelope(event, answers, query);
    },
  });
}

const TaskIdParams = Type.Object({ taskId: Type.String({ minLength: 1 }) });

/** Filters of a list, and the work list of the caller. */
const WorkListQuery = Type.Object({
  ...FilterListQuery.properties,
  view: Type.Optional(
    Type.Union(
      workListViews.map((view) => Type.Literal(view)),
      {
        description:
          "Manual tasks that wait for a person: `mine` those the caller has claimed, `unclaimed` those nobody has, `actionable` both. Other filters must match as well.",
      },
    ),
  ),
});

/** Tasks, newer family. `taskId` is the identifier of an iteration. */
export const taskOperations = [
  operation({
    name: "getTasks",
    method: "GET",
    path: "/operations-manager/tasks",
    summary: "Page of open tasks: running, waiting for a person or a time, in error.",
    roles: readRoles,
    query: WorkListQuery,
    response: Envelope(Type.Array(TaskDocument)),
    handle: async ({ manualTasks, search }, { query, caller }) => {
      const selection = selectFilterList(query, { defaultField: "name" });
      const { results, total } = await manualTasks.list(
        selection,
        caller,
        query.view && workListQuery(query.view, caller),
      );
      return pageEnvelope(selection, { results: await search.dereference(results, query, caller), total });
    },
  }),
  operation({
    name: "getTask",
    method: "GET",
    path: "/operations-manager/tasks/:taskId",
    summary: "One task with its resolved values.",
    roles: readRoles,
    params: TaskIdParams,
    query: Type.Object(presentationProperties),
    response: Envelope(Type.Partial(TaskDocument, { additionalProperties: true })),
    handle: async ({ manualTasks, search }, { params, query, caller }) => {
      const task = await manualTasks.get(params.taskId, caller);
      return envelope("Successfully retrieved item", await search.present(task, query, caller));
    },
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
