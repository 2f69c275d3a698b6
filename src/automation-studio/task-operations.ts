import { Type } from "@sinclair/typebox";
import { operationOf, type Operation } from "../core/operation.ts";
import { readRoles } from "../core/roles.ts";
import { requireTask, TaskAddressParams, TaskApp, TaskDetails, type TaskModels } from "../workflow-engine/index.ts";

/** What the task operations work on. */
export interface TaskServices {
  taskModels: TaskModels;
}

const operation = operationOf<TaskServices>();

/** Tasks and the applications that offer them, as editors of workflows ask: spec workflow-engine.md §9.3. */
export const taskOperations: readonly Operation<TaskServices>[] = [
  operation({
    name: "getAppsAndAdapters",
    method: "GET",
    path: "/automation-studio/apps/list",
    summary: "Applications that offer tasks.",
    roles: readRoles,
    response: Type.Array(TaskApp),
    handle: ({ taskModels }) => taskModels.apps,
  }),
  operation({
    name: "getTaskDetails",
    method: "GET",
    path: "/automation-studio/locations/:location/packages/:pckg/tasks/:method",
    summary: "Describe a task: its variables, types and page.",
    roles: readRoles,
    params: TaskAddressParams,
    query: Type.Object({
      dereferenceSchemas: Type.Optional(
        Type.String({ description: "Accepted; schemas of tasks never hold references." }),
      ),
    }),
    response: TaskDetails,
    handle: ({ taskModels }, { params }) => requireTask(taskModels, params),
  }),
  operation({
    name: "getMultipleTaskDetails",
    method: "POST",
    path: "/automation-studio/multipleTaskDetails",
    summary: "Describe several tasks at once.",
    description:
      "In the order asked for; null for a task that is not installed, so that a workflow can still be shown.",
    roles: readRoles,
    body: Type.Object({ inputsArray: Type.Array(TaskAddressParams, { maxItems: 1000 }) }),
    response: Type.Array(Type.Union([TaskDetails, Type.Null()])),
    handle: ({ taskModels }, { body }) => body.inputsArray.map((address) => taskModels.find(address) ?? null),
  }),
];
