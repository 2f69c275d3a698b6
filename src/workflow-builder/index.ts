import type { Application } from "../core/application.ts";
import { workflowBuilderOperations, type WorkflowBuilderServices } from "./workflow-builder-operations.ts";
import { workflowGroupOperations } from "./workflow-group-operations.ts";

export type { WorkflowBuilderServices } from "./workflow-builder-operations.ts";

/** Workflow builder: single workflows as files, names and schemas. */
export const workflowBuilder: Application<WorkflowBuilderServices> = {
  id: "WorkflowBuilder",
  name: "Workflow builder",
  summary: "Takes in and gives out single workflows.",
  operations: [...workflowBuilderOperations, ...workflowGroupOperations],
};
