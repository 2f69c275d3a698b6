import { Type } from "@sinclair/typebox";
import type { TaskModel } from "../../src/workflow-engine/interpreter/job-schemas.ts";
import type { WorkflowEnvironment } from "../../src/workflow-engine/interpreter/validate-workflow-findings.ts";
import { validateWorkflow } from "../../src/workflow-engine/interpreter/validate-workflow.ts";

const slot = (name: string, schema = Type.Unknown() as Parameters<typeof Type.Array>[0]) => ({ name, schema });
const models: TaskModel[] = [
  {
    name: "stub",
    app: "WorkFlowEngine",
    type: "automatic",
    incoming: [
      { ...slot("type", Type.Union([Type.Literal("success"), Type.Literal("error")])), isOptional: true },
      { ...slot("delay", Type.Number()), isOptional: true },
    ],
    outgoing: [slot("response")],
  },
  {
    name: "split",
    app: "WorkFlowEngine",
    type: "automatic",
    incoming: [slot("str", Type.String())],
    outgoing: [slot("splitArray", Type.Array(Type.String()))],
  },
  {
    name: "evaluation",
    app: "WorkFlowEngine",
    type: "operation",
    incoming: [slot("evaluation_groups", Type.Array(Type.Unknown()))],
    outgoing: [slot("return_value")],
  },
];

const environment: WorkflowEnvironment = {
  findTask: (task) =>
    task.app === "WorkFlowEngine" ? models.find((model) => model.name === task.name) : "unknown app",
  hasTransformation: (task) => task.variables?.incoming?.["tr_id"] === "known",
  hasWorkflow: (name) => name === "known",
};

/** Validates against a few known tasks, one known transformation and one known workflow. */
export const check = (document: unknown) => validateWorkflow(document, environment);
/** What it says, as `task: message`. */
export const messages = (document: unknown, severity: "errors" | "warnings") =>
  check(document)[severity].map(({ task, message }) => `${task}: ${message}`);
