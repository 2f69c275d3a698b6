import { badRequest, conflict } from "../../core/errors.ts";
import { pointerToken } from "../../core/json-pointer.ts";
import { requireStorable } from "./commands.ts";
import { record, type Draft } from "./draft.ts";
import type { JobEvent } from "./events.ts";
import { taskState } from "./job-state.ts";
import { hasOpenError, isOpenError, runAgain } from "./repair-errors.ts";
import { requireOperation } from "./state-machines.ts";

/**
 * Runs a task in error again. `variables` take the place of its incoming values of these names. The
 * job runs again unless another task is still in error (workflow-engine.md §7.1, retryTask).
 */
export function retryTask(draft: Draft, { task, variables = {} }: Extract<JobEvent, { event: "retry" }>): void {
  requireOperation(draft.state.status, "retry");
  const { status } = taskState(draft.state, task);
  if (!isOpenError(taskState(draft.state, task))) {
    throw conflict(
      `Task ${task} is ${status}${status === "error" ? " and the job went on" : ""}: only a task in error is retried`,
    );
  }
  requireDeclared(draft, task, variables);
  requireStorable(variables);
  record(draft, { change: "retried", task, replaced: variables });
  if (!hasOpenError(draft.state)) runAgain(draft);
}

function requireDeclared({ workflow }: Draft, task: string, variables: Readonly<Record<string, unknown>>): void {
  const declared = Object.keys(workflow.task(task)?.variables?.incoming ?? {});
  const unknown = Object.keys(variables).filter((name) => !declared.includes(name));
  if (unknown.length === 0) return;
  const known = declared.length > 0 ? `It has ${declared.join(", ")}` : "It has none";
  throw badRequest(
    `Task ${task} has no incoming variable ${unknown.join(", ")}. ${known}`,
    unknown.map((name) => ({ path: `/body/variables/${pointerToken(name)}`, message: "is not an incoming variable" })),
  );
}
