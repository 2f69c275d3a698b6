import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { topicsOf, type TopicOf } from "./publisher.ts";

/** A workflow that faults are let loose on. However it is interrupted, it ends in one way only. */
export interface Shape {
  workflow: WorkflowDocument;
  /** Job variables it starts with. */
  variables: Record<string, unknown>;
  /** Costs many times what the others do: started less often. */
  isHeavy?: boolean;
  /** Events that each job has for itself: variables of these names say their topics. */
  topics?: readonly TopicOf[];
  /** Tasks with `scheduled` may run from so many milliseconds after a start on. */
  windowInMs?: number;
}

/** The job variables of one job of a shape. */
export function variablesOf(shape: Shape, description: string): Record<string, unknown> {
  return { ...shape.variables, ...topicsOf(shape, description) };
}

const windowLastsMs = 86_400_000;

/** The workflow with run windows that open at `at`, milliseconds since the epoch. */
export function withWindow(workflow: WorkflowDocument, at: number): WorkflowDocument {
  const scheduled = { start: new Date(at).toISOString(), end: new Date(at + windowLastsMs).toISOString() };
  const tasks = Object.entries(workflow.tasks).map(([taskId, task]) => [
    taskId,
    "scheduled" in task ? { ...task, scheduled } : task,
  ]);
  return { ...workflow, tasks: Object.fromEntries(tasks) as WorkflowDocument["tasks"] };
}
