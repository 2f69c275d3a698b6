import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { TaskError, type TaskResult } from "../../core/task.ts";
import type { Environment } from "./draft.ts";
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
  return { result: runDocument(draft.environment, document, incoming) };
}

/** Runs a transformation document with a task's incoming values; TaskError when it cannot. */
export function runDocument(
  { transform }: Pick<Environment, "transform">,
  document: JsonObject,
  { variableMap, options }: Record<string, unknown>,
): TaskResult {
  return {
    finishState: "success",
    outgoing: transform(document, isJsonObject(variableMap) ? variableMap : {}, options),
  };
}

function isStatic(reference: unknown): boolean {
  return typeof reference !== "string" || !reference.startsWith("$var.");
}
