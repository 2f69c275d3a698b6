import { Type } from "@sinclair/typebox";
import type { Application } from "./core/application.ts";
import type { Operation } from "./core/operation.ts";
import type { TaskArgument } from "./core/task.ts";
import type { TaskCatalog } from "./task-library/index.ts";
import type { FindTaskModel } from "./workflow-engine/index.ts";

type TaskModel = Exclude<ReturnType<FindTaskModel>, "unknown app" | undefined>;

const engineApp = "WorkFlowEngine";

/** Finds the model of a workflow's task: engine tasks in the library, others among the operations offered as tasks. */
export function createTaskModels(applications: readonly Application[], catalog: TaskCatalog): FindTaskModel {
  const models = new Map<string, TaskModel>();
  for (const application of applications) {
    for (const task of application.tasks ?? []) models.set(`${application.id}.${task.name}`, task);
    for (const operation of application.operations) {
      if (operation.task) models.set(`${application.id}.${operation.name}`, operationModel(application.id, operation));
    }
  }
  const apps = new Set(applications.map((application) => application.id));
  return (task) => {
    const app = task.app ?? engineApp;
    if (app === engineApp) return catalog.find(task.name, task.canvasName);
    if (task.location === "Adapter" || !apps.has(app)) return "unknown app";
    return models.get(`${app}.${task.name}`);
  };
}

/** An operation as the model of an automatic task: each incoming variable has the schema of the request member of its name. */
function operationModel(app: string, operation: Operation): TaskModel {
  const parts = [operation.params, operation.query, operation.body];
  const argument = (name: string): TaskArgument => {
    for (const part of parts) {
      const schema = (part?.["properties"] as Record<string, TaskArgument["schema"]> | undefined)?.[name];
      if (schema) return { name, schema, isOptional: !(part?.["required"] as string[] | undefined)?.includes(name) };
    }
    return { name, schema: Type.Unknown(), isOptional: true };
  };
  return {
    name: operation.name,
    app,
    type: "automatic",
    incoming: (operation.task?.incoming ?? []).map(argument),
    outgoing: [{ name: operation.task?.outgoing ?? "result", schema: operation.response }],
  };
}
