import type { Application } from "../core/application.ts";
import type { Operation } from "../core/operation.ts";
import { commandTemplatesPlanned } from "./command-templates-planned.ts";
import { deviceOperations } from "./device-operations.ts";
import { runOperations } from "./run-operations.ts";
import type { CommandTemplateServices } from "./services.ts";
import { templateOperations } from "./template-operations.ts";

const built: readonly Operation<CommandTemplateServices>[] = [
  ...templateOperations,
  ...runOperations,
  ...deviceOperations,
];
const builtNames = new Set(built.map((operation) => operation.name));

/** Command and analytic templates (`/mop`): checks of devices by commands and rules. */
export const commandTemplates: Application<CommandTemplateServices> = {
  id: "MOP",
  name: "Command templates",
  summary: "Runs commands on devices and judges their outputs by rules.",
  errorStyle: "string",
  operations: [...built, ...commandTemplatesPlanned.filter((operation) => !builtNames.has(operation.name))],
};

export { createCommandTemplates } from "./services.ts";
