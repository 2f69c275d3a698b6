import { Value } from "@sinclair/typebox/value";
import { pointerTokens } from "../../core/json-pointer.ts";
import { WorkflowDocument, type WorkflowProblem } from "../workflow-schema.ts";
import { createDataFlow } from "./data-flow.ts";
import { decisionFindings } from "./validate-workflow-decisions.ts";
import { finding, type Finding, type Validation, type WorkflowEnvironment } from "./validate-workflow-findings.ts";
import { optionFindings } from "./validate-workflow-options.ts";
import { referenceFindings } from "./validate-workflow-references.ts";
import { taskFindings } from "./validate-workflow-tasks.ts";
import { timingFindings } from "./validate-workflow-timing.ts";
import { transitionFindings } from "./validate-workflow-transitions.ts";
import { variableFindings } from "./validate-workflow-variables.ts";
import { compileWorkflowGraph } from "./workflow-graph.ts";

export interface WorkflowProblems {
  /** A job of a workflow with errors is refused. */
  errors: WorkflowProblem[];
  warnings: WorkflowProblem[];
}

/**
 * Checks a workflow (spec: workflow-engine.md §10). Nothing of it blocks saving.
 *
 * That an application, adapter or method is unknown is a warning with the message of the field, not an error:
 * a job may mock the task (decision 18), or the adapter may be installed before it starts, and the task that
 * calls nothing known ends in `error` by itself.
 *
 * @param candidate A workflow document as a client sent it; one that is no workflow at all is reported place by place.
 */
export function validateWorkflow(candidate: unknown, environment: WorkflowEnvironment): WorkflowProblems {
  const shape = shapeFindings(candidate);
  const findings = shape.length > 0 ? shape : contentFindings(candidate as WorkflowDocument, environment);
  const problems = (severity: Finding["severity"]): WorkflowProblem[] =>
    findings
      .filter((finding) => finding.severity === severity)
      .map(({ task, message }) => ({ task, name: taskName(candidate, task), message }));
  return { errors: problems("error"), warnings: problems("warning") };
}

function contentFindings(workflow: WorkflowDocument, environment: WorkflowEnvironment): Finding[] {
  const graph = compileWorkflowGraph(workflow);
  const validation: Validation = { workflow, graph, flow: createDataFlow(workflow, graph), environment };
  return [
    ...transitionFindings(validation),
    ...taskFindings(validation),
    ...decisionFindings(validation),
    ...optionFindings(validation),
    ...timingFindings(validation),
    ...referenceFindings(validation),
    ...variableFindings(validation),
  ];
}

function shapeFindings(candidate: unknown): Finding[] {
  const findings = [...Value.Errors(WorkflowDocument, candidate)].map(({ path, message }) => {
    const [part, task = ""] = pointerTokens(path);
    const at = part === "tasks" || part === "transitions" ? task : "";
    return finding("malformed-document", at, { path, problem: message });
  });
  return findings.slice(0, 100);
}

function taskName(candidate: unknown, task: string): string {
  const tasks = (candidate as { tasks?: Record<string, { name?: unknown } | null> } | null)?.tasks;
  const name = tasks !== undefined && tasks !== null && Object.hasOwn(tasks, task) ? tasks[task]?.name : undefined;
  return typeof name === "string" ? name : task;
}
