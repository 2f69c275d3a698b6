import { Type } from "@sinclair/typebox";
import type { Application } from "./core/application.ts";
import type { Operation } from "./core/operation.ts";
import type { Task, TaskArgument } from "./core/task.ts";
import type { TaskCatalog } from "./task-library/index.ts";
import { createTaskModelsOf, type FindTaskModel, type TaskDetails, type TaskModels } from "./workflow-engine/index.ts";

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

/** The tasks of all applications as editors are told of them: library tasks, and operations offered as tasks. */
export function createTaskModelList(applications: readonly Application[]): TaskModels {
  const offering = applications.map((application) => ({ application, tasks: detailsOf(application) }));
  const apps = offering.filter(({ tasks }) => tasks.length > 0).map(({ application }) => application);
  return createTaskModelsOf(
    apps.map(({ id, name }) => ({ id, type: "Application", name })),
    offering.flatMap(({ tasks }) => tasks),
  );
}

function detailsOf({ id, name, tasks = [], operations }: Application): TaskDetails[] {
  const offered = operations.filter((operation) => operation.task);
  return [...tasks.map(taskDetails), ...offered.map((operation) => operationDetails(id, name, operation))];
}

function taskDetails(task: Task): TaskDetails {
  const { app, name, canvasName = name, displayName, summary, description = summary, type, view } = task;
  const examples = (argument: string) => task.examples.map(({ incoming }) => incoming[argument]);
  return {
    location: "Application",
    locationType: null,
    app,
    name,
    canvasName,
    displayName,
    summary,
    description,
    type,
    variables: {
      incoming: variablesOf(task.incoming, examples),
      outgoing: variablesOf(task.outgoing, (variable) => task.examples.map(({ outgoing = {} }) => outgoing[variable])),
    },
    ...(view === undefined ? {} : { view }),
  };
}

function operationDetails(app: string, displayName: string, operation: Operation): TaskDetails {
  const { name, incoming, outgoing, type } = operationModel(app, operation);
  const { summary, description = summary, deprecated } = operation;
  return {
    location: "Application",
    locationType: null,
    app,
    name,
    canvasName: name,
    displayName,
    summary,
    description,
    type,
    variables: { incoming: variablesOf(incoming), outgoing: variablesOf(outgoing) },
    ...(deprecated === undefined ? {} : { deprecated }),
  };
}

type Described = TaskDetails["variables"]["incoming"];

function variablesOf(
  variables: readonly Pick<TaskArgument, "name" | "schema" | "isOptional">[],
  examplesOf: (name: string) => readonly unknown[] = () => [],
): Described {
  const described = variables.map(({ name, schema, isOptional = false }) => {
    const shown = examplesOf(name).filter((example) => example !== undefined);
    const examples = schema["examples"] === undefined && shown.length > 0 ? { examples: shown.slice(0, 3) } : {};
    return [name, { title: name, ...schema, ...examples, required: !isOptional }] as const;
  });
  return Object.fromEntries(described);
}
