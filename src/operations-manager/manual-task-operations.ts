import { Type } from "@sinclair/typebox";
import { ManualTaskControllerSchema } from "../core/manual-view-operations.ts";
import { operationOf } from "../core/operation.ts";
import { workRoles } from "../core/roles.ts";
import { TaskDocument, type WorkflowEngineServices } from "../workflow-engine/index.ts";
import { Envelope, envelope } from "./envelope.ts";

const operation = operationOf<WorkflowEngineServices>();

/** Assigning manual tasks, and what works them (workflow-engine.md §7.3, §9.2). */
export const manualTaskOperations = [
  operation({
    name: "assignTask",
    method: "POST",
    path: "/operations-manager/tasks/:taskId/assign",
    summary: "Give a manual task to an account.",
    description:
      "The account must be one that may see the task (400). A task that somebody else has claimed only an administrator gives away (409).",
    roles: workRoles,
    params: Type.Object({ taskId: Type.String({ minLength: 1, description: "Identifier of the iteration." }) }),
    body: Type.Object(
      {
        userId: Type.Optional(Type.String({ minLength: 1, description: "Identifier of the account." })),
        username: Type.Optional(Type.String({ minLength: 1, description: "Instead of `userId`." })),
      },
      { additionalProperties: false },
    ),
    response: Envelope(TaskDocument),
    handle: async ({ manualTasks }, { params, body, caller }) =>
      envelope("Successfully assigned task", await manualTasks.assign(params.taskId, body, caller)),
  }),
  operation({
    name: "getManualTaskController",
    method: "GET",
    path: "/operations-manager/jobs/:jobId/tasks/:taskId/manual-controller",
    summary: "Say which page works a manual task, and with what data.",
    roles: workRoles,
    params: Type.Object({ jobId: Type.String({ minLength: 1 }), taskId: Type.String({ minLength: 1 }) }),
    response: Envelope(ManualTaskControllerSchema),
    handle: async ({ manualPages }, { params, caller }) => {
      const { controller } = await manualPages.open({ job: params.jobId, task: params.taskId }, caller);
      return envelope("Successfully retrieved item", controller);
    },
  }),
];
