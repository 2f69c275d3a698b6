import { badRequest, type PlatformError } from "../../core/errors.ts";
import type { ManualFinishState } from "../../core/manual-view.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import type { LocatedTask } from "./locate-task.ts";

/** What a person decided on a manual task. */
export interface TaskData {
  finish_state?: ManualFinishState | undefined;
  variables?: Record<string, unknown> | undefined;
}

/** The same as the engine takes it. */
export interface TaskDecision {
  finishState: "success" | "failure" | "error";
  variables: Record<string, unknown>;
}

/**
 * What a person's decision means (workflow-engine.md §5, §7.3). ErrorHandling has the decision as its
 * outgoing `response`, and knows `retry`: the task ends in the state whose transition leads back, and
 * in success where none does, so that what follows may look at the response. BAD_REQUEST for a finish
 * state that the task does not offer.
 */
export function decisionOf({ task, view }: LocatedTask, data: TaskData): TaskDecision {
  const { finish_state: decided = "success", variables = {} } = data;
  const definition = view.workflow.task(task);
  if (!isErrorHandling(definition)) {
    if (decided === "retry") throw notOffered("success, failure or error");
    return { finishState: decided, variables };
  }
  const response = { response: decided, ...variables };
  if (decided !== "retry") return { finishState: decided, variables: response };
  if (view.state.tasks.get(task)?.incoming?.["retry"] === false) throw notOffered("success, failure or error");
  const back = view.workflow.edgesFrom(task).find((edge) => edge.type === "revert");
  return { finishState: stateOf(back?.state), variables: response };
}

function isErrorHandling(task: WorkflowTask | undefined): boolean {
  return task?.name === "ErrorHandling" && (task.app ?? "WorkFlowEngine") === "WorkFlowEngine";
}

function stateOf(state: string | undefined): TaskDecision["finishState"] {
  return state === "failure" || state === "error" ? state : "success";
}

function notOffered(offered: string): PlatformError {
  const message = `must be ${offered}`;
  return badRequest(`This task does not offer the finish state: it ${message}`, [
    { path: "/body/finish_state", message },
  ]);
}
