import type { Application } from "../core/application.ts";
import type { Operation } from "../core/operation.ts";
import { projectOperations, type ProjectServices } from "./project-operations.ts";
import { taskOperations, type TaskServices } from "./task-operations.ts";
import { templateOperations, type TemplateServices } from "./template-operations.ts";
import { workflowOperations, type WorkflowServices } from "./workflow-operations.ts";

export { forgetComponent } from "./project-components.ts";
export { createProjectService } from "./project-service.ts";
export type { StudioContext } from "./studio-context.ts";

/** What automation studio works on. */
type AutomationStudioServices = ProjectServices & TaskServices & TemplateServices & WorkflowServices;

/** Automation studio: workflows, templates and the projects that hold them. */
export const automationStudio: Application<AutomationStudioServices> = {
  id: "AutomationStudio",
  name: "Automation studio",
  summary: "Keeps workflows and templates, and the projects that hold them together.",
  operations: [
    ...(workflowOperations as readonly Operation<AutomationStudioServices>[]),
    ...(taskOperations as readonly Operation<AutomationStudioServices>[]),
    ...(projectOperations as readonly Operation<AutomationStudioServices>[]),
    ...(templateOperations as readonly Operation<AutomationStudioServices>[]),
  ],
};
