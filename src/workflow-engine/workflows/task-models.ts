import { Type, type Static } from "@sinclair/typebox";
import { notFound } from "../../core/errors.ts";

const Variables = Type.Record(Type.String(), Type.Object({}, { additionalProperties: true }), {
  description: "By name, in the order of the arguments: JSON schema with title, examples and whether it is required.",
});

/** A task as lists of tasks show it. */
export const TaskSummary = Type.Object({
  location: Type.String({ description: "Application." }),
  locationType: Type.Union([Type.String(), Type.Null()]),
  app: Type.String({ description: "Export name of the application, as tasks of workflows carry it." }),
  name: Type.String({ description: "Method." }),
  canvasName: Type.String(),
  displayName: Type.String({ description: "Palette group." }),
  summary: Type.String(),
  description: Type.String(),
  type: Type.String({ description: "automatic, operation or manual." }),
  deprecated: Type.Optional(Type.Boolean()),
});
export type TaskSummary = Static<typeof TaskSummary>;

/** The model of a task (workflow-engine.md §8.7): what an editor needs to offer it. */
export const TaskDetails = Type.Object({
  ...TaskSummary.properties,
  variables: Type.Object({ incoming: Variables, outgoing: Variables }),
  view: Type.Optional(Type.String({ description: "Path of the page of a manual task." })),
});
export type TaskDetails = Static<typeof TaskDetails>;

/** An application that offers tasks. */
export const TaskApp = Type.Object({ id: Type.String(), type: Type.String(), name: Type.String() });
export type TaskApp = Static<typeof TaskApp>;

/** Where a task is looked for: `location` is `Application` or `Adapter`, `pckg` the application, `method` the task. */
export interface TaskAddress {
  location: string;
  pckg: string;
  method: string;
}

/** The tasks that workflows can use. */
export interface TaskModels {
  apps: readonly TaskApp[];
  /** In the order of the palette. */
  tasks: readonly TaskDetails[];
  /** The words for places, packages and methods are matched exactly, but for upper and lower case of the location. */
  find(address: TaskAddress): TaskDetails | undefined;
}

/** Makes the models of all tasks ready to be found. */
export function createTaskModelsOf(apps: readonly TaskApp[], tasks: readonly TaskDetails[]): TaskModels {
  const byAddress = new Map(tasks.map((task) => [keyOf(task.location, task.app, task.name), task]));
  return {
    apps,
    tasks,
    find: ({ location, pckg, method }) => byAddress.get(keyOf(location, pckg, method)),
  };
}

/** The model, or NOT_FOUND in the words that validation has for it (workflow-engine.md §10). */
export function requireTask(models: TaskModels, address: TaskAddress): TaskDetails {
  const task = models.find(address);
  if (task) return task;
  const { location, pckg, method } = address;
  const isKnown = models.apps.some(({ id, type }) => id === pckg && type.toLowerCase() === location.toLowerCase());
  throw notFound(isKnown ? `Method not found: ${pckg}.${method}` : `No config found for ${location}: ${pckg}`);
}

/** A task without its variables. */
export function summaryOf({ variables: _variables, view: _view, ...summary }: TaskDetails): TaskSummary {
  return summary;
}

function keyOf(location: string, app: string, name: string): string {
  return JSON.stringify([location.toLowerCase(), app, name]);
}
