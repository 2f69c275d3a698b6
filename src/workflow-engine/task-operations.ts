import { Type } from "@sinclair/typebox";
import { operationOf } from "../core/operation.ts";
import { workRoles } from "../core/roles.ts";
import { JobDocument, TaskDataSchema, TaskDocument } from "./job-schema.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";

const operation = operationOf<WorkflowEngineServices>();

/** Working manual tasks, older family (workflow-engine.md §8.4). `task_id` is the identifier of the iteration; finishing takes the short task id too. */
export const taskWorkOperations = [
  operation({
    name: "claimTask",
    method: "POST",
    path: "/workflow_engine/tasks/claim",
    summary: "Take a manual task, for oneself or, as an administrator, for somebody else.",
    roles: workRoles,
    body: Type.Object(
      { task_id: Type.String({ minLength: 1 }), user: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    response: TaskDocument,
    handle: ({ manualTasks }, { body, caller }) => manualTasks.claim(body.task_id, caller, body.user),
  }),
  operation({
    name: "releaseTask",
    method: "POST",
    path: "/workflow_engine/tasks/release",
    summary: "Give a claimed manual task back.",
    roles: workRoles,
    body: Type.Object({ task_id: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    response: TaskDocument,
    handle: ({ manualTasks }, { body, caller }) => manualTasks.release(body.task_id, caller),
  }),
  operation({
    name: "finishManualTask",
    method: "POST",
    path: "/workflow_engine/finishTask",
    summary: "Finish a manual task with its finish state and outgoing variables.",
    roles: workRoles,
    body: Type.Object(
      {
        job_id: Type.String({ minLength: 1 }),
        task_id: Type.String({ minLength: 1 }),
        task_data: Type.Optional(TaskDataSchema),
      },
      { additionalProperties: false },
    ),
    response: JobDocument,
    handle: ({ manualTasks }, { body, caller }) =>
      manualTasks.finish(body.job_id, body.task_id, body.task_data ?? {}, caller),
  }),
];
