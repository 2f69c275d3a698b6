import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { badRequest } from "../../core/errors.ts";
import { WorkflowDocument } from "../workflow-schema.ts";

const Parts = (description: string) =>
  Type.Record(Type.String(), Type.Object({}, { additionalProperties: true }), { description });

/**
 * The outline a workflow must have to be kept at all. What is wrong inside is told by validation and
 * does not keep it from being saved (spec: workflow-engine.md §10); unknown members stay (decision 3).
 */
export const WorkflowOutline = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    tasks: Parts("Tasks by task id."),
    transitions: Parts("Transitions by id of the task they leave, then by id of the task they enter."),
  },
  { additionalProperties: true, description: "A workflow document." },
);

/** BAD_REQUEST that names every place where the candidate is not even the outline of a workflow. `at` is its JSON pointer in the request. */
export function requireOutline(candidate: unknown, at: string): WorkflowDocument {
  const problems = [...Value.Errors(WorkflowOutline, candidate)].map(({ path, message }) => ({
    path: `${at}${path}`,
    message,
  }));
  if (problems.length > 0) throw badRequest("The document is not a workflow", problems.slice(0, 100));
  return candidate as WorkflowDocument;
}

/** True for a document whose every part has the form of a workflow, so that it can be analysed. */
export function hasWorkflowShape(document: unknown): document is WorkflowDocument {
  return Value.Check(WorkflowDocument, document);
}
