import { Type } from "@sinclair/typebox";
import type { Method } from "../core/operation.ts";
import { operationOf } from "../core/operation.ts";
import { workRoles } from "../core/roles.ts";
import {
  JobDocumentOrPreview,
  PreviewQuery,
  RetryVariables,
  runCommand,
  TaskName,
  type NamedTask,
  type WorkflowEngineServices,
} from "../workflow-engine/index.ts";
import { changeEnvelope, Envelope } from "./envelope.ts";

const operation = operationOf<WorkflowEngineServices>();
const JobIdParams = Type.Object({ jobId: Type.String({ minLength: 1 }) });
const jobs = "operations-manager/jobs/:jobId";

/** Method and path, with the other spelling of the application. */
function posted(path: string): { method: Method; path: string; aliases: { method: Method; path: string }[] } {
  return {
    method: "POST",
    path: `/${path}`,
    aliases: [{ method: "POST", path: `/${path.replace("operations-manager", "operations_manager")}` }],
  };
}

/** Changing the course of jobs, newer family (workflow-engine.md §9.2): the same commands as `/workflow_engine`. */
export const repairOperations = [
  operation({
    name: "revertJob",
    ...posted(`${jobs}/revert`),
    summary: "Take a job back to an earlier task, which runs again.",
    description:
      "`toTask` and everything forward of it is reset; without it the job runs from its start. With `fromTask`, `toTask` must be it or lie upstream of it. A paused job stays paused; a job in error runs again.",
    roles: workRoles,
    params: JobIdParams,
    query: PreviewQuery,
    body: Type.Object(
      { fromTask: Type.Optional(TaskName), toTask: Type.Optional(TaskName) },
      { additionalProperties: false },
    ),
    isBodyOptional: true,
    response: Envelope(JobDocumentOrPreview),
    handle: async ({ jobs }, { params, body, query, caller }) => {
      const from = named(body?.fromTask, "fromTask");
      const command = { event: "revert", from, to: named(body?.toTask, "toTask") } as const;
      return changeEnvelope("revert", await runCommand(jobs, params.jobId, command, { caller, ...query }), query);
    },
  }),
  operation({
    name: "continueJob",
    ...posted(`${jobs}/continue`),
    summary: "Go on after a finished task as it last finished.",
    description:
      "Without `fromTask`: after the task that finished last of those one can go on from. What its transitions lead to is reset and runs again.",
    roles: workRoles,
    params: JobIdParams,
    query: PreviewQuery,
    body: Type.Object({ fromTask: Type.Optional(TaskName) }, { additionalProperties: false }),
    isBodyOptional: true,
    response: Envelope(JobDocumentOrPreview),
    handle: async ({ jobs }, { params, body, query, caller }) => {
      const command = { event: "continue", fromTask: named(body?.fromTask, "fromTask") } as const;
      return changeEnvelope("continue", await runCommand(jobs, params.jobId, command, { caller, ...query }), query);
    },
  }),
  operation({
    name: "retryTask",
    ...posted(`${jobs}/tasks/:taskId/retry`),
    summary: "Run a task in error again, with other incoming values if given.",
    description:
      "`variables` take the place of the task's incoming values of these names, as they are. The job runs again unless another task is still in error.",
    roles: workRoles,
    params: Type.Object({ ...JobIdParams.properties, taskId: TaskName }),
    query: PreviewQuery,
    body: Type.Object({ variables: RetryVariables }, { additionalProperties: false }),
    isBodyOptional: true,
    response: Envelope(JobDocumentOrPreview),
    handle: async ({ jobs }, { params, body, query, caller }) => {
      const task = { named: params.taskId, place: "/params/taskId" };
      const command = { event: "retry", task, variables: body?.variables } as const;
      return changeEnvelope("retry", await runCommand(jobs, params.jobId, command, { caller, ...query }), query);
    },
  }),
];

function named(task: string | undefined, member: string): NamedTask | undefined {
  return task === undefined ? undefined : { named: task, place: `/body/${member}` };
}
