import { isJsonObject } from "../../core/json.ts";
import type { FinishState } from "../../core/task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import type { Edge } from "./workflow-graph.ts";

/** What decides which transitions of a task are taken. */
export interface TaskEnd {
  finishState: FinishState | undefined;
  outgoing?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Is it a task `decision`, which chooses one of its success transitions (tasks-and-transformations.md §8)? People edit
 * names, and then the label of the canvas tells.
 */
export function isDecision({ app = "WorkFlowEngine", name, canvasName }: WorkflowTask): boolean {
  return app === "WorkFlowEngine" && (name === "decision" || canvasName === "decision");
}

/** Does an ending take this transition? `chooses`: it is a decision, whose `return_value` is the task it goes on with. */
export function isTakenBy({ finishState, outgoing }: TaskEnd, edge: Edge, chooses: boolean): boolean {
  if (finishState !== edge.state) return false;
  return !chooses || edge.state !== "success" || outgoing?.["return_value"] === edge.to;
}

/** One entry of `decisionArray` as the document has it. */
export interface Choice {
  /** Id of the task it leads to; undefined where it is no text, or a reference. */
  next: string | undefined;
  /** It holds whatever the values are. */
  isDefault: boolean;
}

/** The entries of a decision's `decisionArray`; undefined where it is made while the job runs. */
export function choicesOf(task: WorkflowTask): Choice[] | undefined {
  const given = task.variables?.incoming?.["decisionArray"];
  if (!Array.isArray(given)) return undefined;
  return given.filter(isJsonObject).map((choice) => {
    const { next_task: next, evaluations = [] } = choice;
    const isNamed = typeof next === "string" && !next.startsWith("$var.");
    return { next: isNamed ? next : undefined, isDefault: Array.isArray(evaluations) && evaluations.length === 0 };
  });
}
