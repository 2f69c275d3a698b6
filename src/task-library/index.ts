import type { Task } from "../core/task.ts";
import { arrayQuestionTasks } from "./array-question-tasks.ts";
import { arrayTasks } from "./array-tasks.ts";
import { dataTasks } from "./data-tasks.ts";
import { engineTasks } from "./engine-tasks.ts";
import { flowTasks } from "./flow-tasks.ts";
import { formatTasks } from "./format-tasks.ts";
import { manualTasks } from "./manual-tasks.ts";
import { numberTasks } from "./number-tasks.ts";
import { objectTasks } from "./object-tasks.ts";
import { patternTasks } from "./pattern-tasks.ts";
import { restCallTask } from "./rest-call-task.ts";
import { stringQuestionTasks } from "./string-question-tasks.ts";
import { stringTasks } from "./string-tasks.ts";
import { timeTasks } from "./time-tasks.ts";

export { fillPlaceholders } from "./make-data.ts";
export { readRestCall, restCallTask, type RestCall } from "./rest-call-task.ts";
export { createTaskCatalog, type TaskCatalog } from "./task-catalog.ts";

/** Every task of the application WorkFlowEngine, in the order of the palette. */
export const taskLibrary: readonly Task[] = [
  ...engineTasks,
  ...flowTasks,
  restCallTask,
  ...manualTasks,
  ...arrayTasks,
  ...arrayQuestionTasks,
  ...stringTasks,
  ...stringQuestionTasks,
  ...numberTasks,
  ...patternTasks,
  ...objectTasks,
  ...dataTasks,
  ...formatTasks,
  ...timeTasks,
];
