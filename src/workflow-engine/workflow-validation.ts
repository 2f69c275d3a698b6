import { Type, type Static } from "@sinclair/typebox";
import type { Caller } from "../core/caller.ts";
import { badRequest } from "../core/errors.ts";
import { WorkflowProblem } from "./workflow-schema.ts";
import { WorkflowOutline } from "./workflows/workflow-outline.ts";
import type { WorkflowService } from "./workflows/workflow-service.ts";

/** The parts that operations which validate a workflow have in common: workflow-engine.md §8.7. */
export const workflowValidation = {
  description:
    "Takes a `workflow`, or the same as `asset`; to an asset the answer also says whether it is valid, which is without errors. Workflows that it calls and that the caller may not see count as missing.",
  body: Type.Object({ workflow: Type.Optional(WorkflowOutline), asset: Type.Optional(WorkflowOutline) }),
  response: Type.Object({
    isValid: Type.Optional(Type.Boolean({ description: "Of an `asset` only." })),
    errors: Type.Array(WorkflowProblem),
    warnings: Type.Array(WorkflowProblem),
  }),
};

/** Validates what the body has; BAD_REQUEST when that is neither or both. */
export async function validateAsAsked(
  workflows: Pick<WorkflowService, "validate">,
  { workflow, asset }: Static<typeof workflowValidation.body>,
  caller: Caller,
): Promise<Static<typeof workflowValidation.response>> {
  if (workflow && asset) throw refusal("/body/asset", "must not stand beside workflow");
  if (!workflow && !asset) throw refusal("/body/workflow", "is missing");
  const problems = await workflows.validate(workflow ?? asset, caller);
  return asset ? { isValid: problems.errors.length === 0, ...problems } : problems;
}

function refusal(path: string, message: string): Error {
  return badRequest(`${path.slice("/body/".length)} ${message}`, [{ path, message }]);
}
