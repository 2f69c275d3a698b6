import { isJsonObject } from "../../core/json.ts";
import { TaskError } from "../../core/task.ts";
import type { Started, StartedTask } from "./start-task.ts";

/**
 * transformation: computed here when the job's snapshot holds the document; an identifier that only
 * became known at run time is looked up outside.
 */
export function runTransformationTask({ draft, task, incoming }: StartedTask): Started {
  const id = incoming["tr_id"];
  if (typeof id !== "string" || id === "")
    throw new TaskError("The identifier of the transformation (tr_id) is missing");
  const document = draft.workflow.snapshot.transformations[id];
  if (!document) {
    if (isStatic(task.variables?.incoming?.["tr_id"])) throw new TaskError(`Cannot find transformation ${id}`);
    return { wait: { for: "call" } };
  }
  const variableMap = incoming["variableMap"];
  const outgoing = draft.environment.transform(
    document,
    isJsonObject(variableMap) ? variableMap : {},
    incoming["options"],
  );
  return { result: { finishState: "success", outgoing } };
}

function isStatic(reference: unknown): boolean {
  return typeof reference !== "string" || !reference.startsWith("$var.");
}
