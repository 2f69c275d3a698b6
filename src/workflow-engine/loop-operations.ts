import { Type } from "@sinclair/typebox";
import { operationOf } from "../core/operation.ts";
import { readRoles } from "../core/roles.ts";
import { findLoops, loopProblems } from "./interpreter/loop-analysis.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";
import { Transitions, WorkflowProblem, WorkflowTask } from "./workflow-schema.ts";

const operation = operationOf<WorkflowEngineServices>();

const WorkflowDetailsBody = Type.Object({
  workflow_details: Type.Object(
    { tasks: Type.Record(Type.String(), WorkflowTask), transitions: Transitions },
    { additionalProperties: true },
  ),
});

/** Loops of a workflow that is being written (workflow-engine.md §8.7). Nothing is stored or run. */
export const loopOperations = [
  operation({
    name: "getAllLoopTasks",
    method: "POST",
    path: "/workflow_engine/getAllLoopTasks",
    summary: "Tasks of a workflow that lie in loops.",
    description:
      "One list of task ids per loop, first the task where it begins: a forEach with its body, or the target of a revert transition with all tasks that it runs again on the way to the transition.",
    roles: readRoles,
    body: WorkflowDetailsBody,
    response: Type.Array(Type.Array(Type.String())),
    handle: (_services, { body }) => findLoops(body.workflow_details),
  }),
  operation({
    name: "validateAllLoops",
    method: "POST",
    path: "/workflow_engine/validateAllLoops",
    summary: "Check the loops of a workflow.",
    description:
      "Errors: a forEach without a body, a transition out of or into a body past its forEach, a revert transition that leaves a body, bodies that overlap.",
    roles: readRoles,
    body: WorkflowDetailsBody,
    response: Type.Object({ valid: Type.Boolean(), errors: Type.Array(WorkflowProblem) }),
    handle: (_services, { body }) => {
      const errors = loopProblems(body.workflow_details);
      return { valid: errors.length === 0, errors };
    },
  }),
];
