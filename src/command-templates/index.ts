import type { Application } from "../core/application.ts";
import type { ManualPageServices } from "../core/manual-view.ts";
import { manualViewOperations } from "../core/manual-view-operations.ts";
import type { Operation } from "../core/operation.ts";
import { commandTemplatesPlanned } from "./command-templates-planned.ts";
import { deviceOperations } from "./device-operations.ts";
import { runOperations } from "./run-operations.ts";
import { commandTemplateManualTasks } from "./manual-tasks.ts";
import { commandTemplateViews } from "./manual-views/mop-views.ts";
import type { CommandTemplateServices } from "./services.ts";
import { templateOperations } from "./template-operations.ts";

type Services = CommandTemplateServices & ManualPageServices;

const built: readonly Operation<Services>[] = [
  ...templateOperations,
  ...runOperations,
  ...deviceOperations,
  ...manualViewOperations(commandTemplateViews),
];
const builtNames = new Set(built.map((operation) => operation.name));

/** Command and analytic templates (`/mop`): checks of devices by commands and rules. */
export const commandTemplates: Application<Services> = {
  id: "MOP",
  name: "Command templates",
  summary: "Runs commands on devices and judges their outputs by rules.",
  errorStyle: "string",
  operations: [...built, ...commandTemplatesPlanned.filter((operation) => !builtNames.has(operation.name))],
  tasks: commandTemplateManualTasks,
};

export { createCommandTemplateViews } from "./manual-views/mop-views.ts";
export { createCommandTemplates } from "./services.ts";
