import type { Task } from "../core/task.ts";
import { arrayQuestionTasks } from "./array-question-tasks.ts";
import { arrayTasks } from "./array-tasks.ts";
import { dataTasks } from "./data-tasks.ts";
import { engineTasks, manualTasks } from "./engine-tasks.ts";
import { flowTasks } from "./flow-tasks.ts";
import { objectTasks } from "./object-tasks.ts";
import { patternTasks } from "./pattern-tasks.ts";
import { stringQuestionTasks } from "./string-question-tasks.ts";
import { stringTasks } from "./string-tasks.ts";

export { fillPlaceholders } from "./make-data.ts";
export { createTaskCatalog, type TaskCatalog } from "./task-catalog.ts";

/** Every task of the application WorkFlowEngine, in the order of the palette. */
export const taskLibrary: readonly Task[] = [
  ...engineTasks,
  ...flowTasks,
  ...manualTasks,
  ...arrayTasks,
  ...arrayQuestionTasks,
  ...stringTasks,
  ...stringQuestionTasks,
  ...patternTasks,
  ...objectTasks,
  ...dataTasks,
];
