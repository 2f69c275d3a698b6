import { Type } from "@sinclair/typebox";
import { operationOf } from "../core/operation.ts";
import { readRoles } from "../core/roles.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";
import { requireTask, TaskDetails } from "./workflows/task-models.ts";

const operation = operationOf<WorkflowEngineServices>();

/** Path of a task's model. */
export const TaskAddressParams = Type.Object({
  location: Type.String({ minLength: 1, description: "Application or Adapter." }),
  pckg: Type.String({ minLength: 1, description: "Export name of the application." }),
  method: Type.String({ minLength: 1, description: "Name of the task." }),
});

/** Models of tasks, older family (workflow-engine.md §8.7). */
export const taskModelOperations = [
  operation({
    name: "getTaskDetails",
    method: "GET",
    path: "/workflow_engine/locations/:location/packages/:pckg/tasks/:method",
    summary: "Describe a task: its variables, types and page.",
    roles: readRoles,
    params: TaskAddressParams,
    response: TaskDetails,
    handle: ({ taskModels }, { params }) => requireTask(taskModels, params),
  }),
];
