import { Type, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { badRequest } from "../core/errors.ts";
import { operationOf } from "../core/operation.ts";
import { workRoles } from "../core/roles.ts";
import { runCommand } from "./jobs/job-commands.ts";
import type { NamedTask } from "./interpreter/task-names.ts";
import { JobDocumentOrPreview, PreviewQuery, RetryVariables, TaskName } from "./job-schema.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";

const operation = operationOf<WorkflowEngineServices>();
const JobIdParams = Type.Object({ jobId: Type.String({ minLength: 1 }) });
const jobId = Type.String({ minLength: 1 });

/** The task may be given under any of these names: the newer family's, and those that clients are known to send (workflow-engine.md §8.2). */
function TaskBody(names: readonly string[], further: Record<string, TSchema> = {}) {
  const spellings = Object.fromEntries(names.map((name) => [name, Type.Optional(TaskName)]));
  return Type.Object({ ...spellings, ...further }, { additionalProperties: false });
}

const continueNames = ["fromTask", "task", "task_id", "taskId"] as const;
const retryNames = ["task_id", "taskId", "task"] as const;
const RetryBody = TaskBody(retryNames, { variables: RetryVariables });

/** Changing the course of jobs, older family (workflow-engine.md §7.1, §8.2). Each answers the job document. */
export const repairOperations = [
  operation({
    name: "fixJob",
    method: "POST",
    path: "/workflow_engine/fixJob",
    summary: "Take a job in error back from the task in error to an earlier one.",
    description:
      "`revert_task` and everything forward of it is reset, and it runs again. `errored_task` is a task in error, `job` for a job that is stuck; `revert_task` is the same or lies upstream of it. 409 unless the job is in error.",
    roles: workRoles,
    query: PreviewQuery,
    body: Type.Object(
      { job_id: jobId, errored_task: TaskName, revert_task: TaskName },
      { additionalProperties: false },
    ),
    response: JobDocumentOrPreview,
    handle: ({ jobs }, { body, query, caller }) => {
      const from = named(body.errored_task, "errored_task");
      const command = { event: "fix", from, to: named(body.revert_task, "revert_task") } as const;
      return runCommand(jobs, body.job_id, command, { caller, ...query });
    },
  }),
  operation({
    name: "revertToTask",
    method: "POST",
    path: "/workflow_engine/revertToTask",
    summary: "Take a job back from one task to an earlier one, which runs again.",
    description:
      "`target_task` and everything forward of it is reset: results are void, calls and timers dropped, child jobs canceled. Job variables stay. `target_task` is `current_task` or lies upstream of it, and the job has come to it. A paused job stays paused; a job in error runs again. Within the body of a forEach only the current element is repeated.",
    roles: workRoles,
    query: PreviewQuery,
    body: Type.Object(
      { job_id: jobId, current_task: TaskName, target_task: TaskName },
      { additionalProperties: false },
    ),
    response: JobDocumentOrPreview,
    handle: ({ jobs }, { body, query, caller }) => {
      const from = named(body.current_task, "current_task");
      const command = { event: "revert", from, to: named(body.target_task, "target_task") } as const;
      return runCommand(jobs, body.job_id, command, { caller, ...query });
    },
  }),
  operation({
    name: "continueJob",
    method: "POST",
    path: "/workflow_engine/jobs/:jobId/continueJob",
    summary: "Go on after a finished task as it last finished.",
    description:
      "What its transitions for that finish state lead to is reset and runs again; the task itself does not. 409 where the task has not finished, has no such transition, or what follows is under way.",
    roles: workRoles,
    params: JobIdParams,
    query: PreviewQuery,
    body: TaskBody(continueNames),
    response: JobDocumentOrPreview,
    handle: ({ jobs }, { params, body, query, caller }) =>
      runCommand(
        jobs,
        params.jobId,
        { event: "continue", fromTask: spelled(body, continueNames) },
        { caller, ...query },
      ),
  }),
  operation({
    name: "retryTask",
    method: "POST",
    path: "/workflow_engine/jobs/:jobId/retryTask",
    summary: "Run a task in error again, with other incoming values if given.",
    description:
      "`variables` take the place of the task's incoming values of these names, as they are. The job runs again unless another task is still in error.",
    roles: workRoles,
    params: JobIdParams,
    query: PreviewQuery,
    body: RetryBody,
    response: JobDocumentOrPreview,
    handle: ({ jobs }, { params, body, query, caller }) => {
      const { variables } = body as { variables?: Static<typeof RetryVariables> };
      const command = { event: "retry", task: spelled(body, retryNames), variables } as const;
      return runCommand(jobs, params.jobId, command, { caller, ...query });
    },
  }),
];

function named(task: string, member: string): NamedTask {
  return { named: task, place: `/body/${member}` };
}

/** The one task that the body names. */
function spelled(body: Static<TObject>, names: readonly string[]): NamedTask {
  const members = body as Readonly<Record<string, unknown>>;
  const given = names.filter((name) => typeof members[name] === "string");
  const [first] = given;
  if (first !== undefined && given.length === 1) return named(String(members[first]), first);
  const message = first === undefined ? "is required" : "is given more than once";
  throw badRequest(`Name one task: as ${names.join(", ")}`, [{ path: `/body/${given[1] ?? names[0]}`, message }]);
}
