import { Type } from "@sinclair/typebox";
import { ManualTaskControllerSchema, manualViewOperations } from "../core/manual-view-operations.ts";
import { operationOf } from "../core/operation.ts";
import { workRoles } from "../core/roles.ts";
import { engineViews } from "./manual-views/engine-views.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";

const operation = operationOf<WorkflowEngineServices>();

/** What works manual tasks, and the engine's own pages (workflow-engine.md §7.3, §8.4). */
export const manualPageOperations = [
  operation({
    name: "getManualTaskController",
    method: "GET",
    path: "/workflow_engine/tasks/controller/job/:jobId/task/:taskId",
    summary: "Say which page works a manual task, and with what data.",
    description:
      "`page` holds what the page computes of the task's values, for the pages of this platform; `hindrance` says why the caller cannot finish the task now.",
    roles: workRoles,
    params: Type.Object({ jobId: Type.String({ minLength: 1 }), taskId: Type.String({ minLength: 1 }) }),
    response: ManualTaskControllerSchema,
    handle: async ({ manualPages }, { params, caller }) =>
      (await manualPages.open({ job: params.jobId, task: params.taskId }, caller)).controller,
  }),
  ...manualViewOperations(engineViews),
];
