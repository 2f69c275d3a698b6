import type { WorkflowDocument, WorkflowTask } from "../workflow-schema.ts";
import type { DataFlow } from "./data-flow.ts";
import type { TaskModel } from "./job-schemas.ts";
import { findingMessage, workflowFindings, type FindingCode, type FindingValues } from "./workflow-findings.ts";
import type { WorkflowGraph } from "./workflow-graph.ts";

/** What the platform knows beside the workflow; looked up before, so that validation stays pure. */
export interface WorkflowEnvironment {
  /** The model of the task's method; `"unknown app"` when the application or adapter type is not installed. */
  findTask(task: WorkflowTask): TaskModel | "unknown app" | undefined;
  /** Can the transformation that the task names be found? */
  hasTransformation(task: WorkflowTask): boolean;
  hasWorkflow(name: string): boolean;
}

/** One problem found, before its task's name is added. */
export interface Finding {
  code: FindingCode;
  severity: "error" | "warning";
  /** Task id. */
  task: string;
  message: string;
}

/** What the checks work on. */
export interface Validation {
  workflow: WorkflowDocument;
  graph: WorkflowGraph;
  /** What runs before what; undefined when standard transitions form a cycle. */
  flow: DataFlow | undefined;
  environment: WorkflowEnvironment;
}

/** A finding at a task: what it says is looked up by its code, `values` fill the places of its message. */
export function finding<Code extends FindingCode>(code: Code, task: string, values: FindingValues<Code>): Finding {
  return { code, severity: workflowFindings[code].severity, task, message: findingMessage(code, values) };
}
