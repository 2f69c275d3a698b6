import { isJsonObject } from "../../core/json.ts";
import { StoredValue } from "../../core/stored-value.ts";
import { TaskError, type TaskResult } from "../../core/task.ts";
import { record, type Draft } from "./draft.ts";
import { childAt, hasOpenChildren } from "./child-list.ts";
import { isLoop, loopResult, nextIndexes, startFailure, stopOf } from "./child-loops.ts";
import { finishTask } from "./finish-task.ts";
import { cancelChildren } from "./forget-task.ts";
import { isOpenChild, taskState, type ChildJob, type TaskState } from "./job-state.ts";
import { requireParsed } from "./stored-arguments.ts";
import { errorResult } from "./task-error.ts";
import type { Started, StartedTask } from "./start-task.ts";
import type { StopWhen } from "./task-options.ts";

/** childJob: one child, or one per element of `data_array`, in turn or all at once (workflow-engine.md §5). */
export function startChildJobs({ incoming }: StartedTask): Started {
  if (typeof incoming["workflow"] !== "string" || incoming["workflow"] === "") {
    throw new TaskError("Error starting child job: the name of the workflow is missing");
  }
  if (!isLoop(incoming)) return { wait: { for: "children" } };
  if (!Array.isArray(incoming["data_array"]))
    throw new TaskError("Error starting child job: data_array is not an array");
  if (incoming["data_array"].length === 0) {
    return { result: { finishState: "success", outgoing: { job_details: { status: "complete", loop: [] } } } };
  }
  return { wait: { for: "children" } };
}

/** Starts the children that may run now; called once the task's start is recorded, and after each child of a sequence. */
export function launchChildren(draft: Draft, taskId: string): void {
  const task = taskState(draft.state, taskId);
  const indexes = nextIndexes(task, draft.workflow.options(taskId).loop);
  const origin = `${draft.state.origin._id}.${task.iteration}`;
  const started = indexes.map((index): ChildJob => {
    const startedAt = task.startedAt ?? draft.at;
    return { _id: draft.environment.childJobId(startedAt, `${origin}.${index}`), index, status: "running" };
  });
  const isMore = (task.children?.length ?? 0) > 0;
  record(draft, { change: "children", task: taskId, children: started, ...(isMore ? { isMore } : {}) });
  for (const index of indexes)
    draft.effects.push({ effect: "startChild", task: taskId, iteration: task.iteration, index });
}

/** How a child ended, as it is told to its parent. */
export interface ChildEnd {
  /** `error`: it has not ended, but whoever counts failures counts it. */
  status: "complete" | "canceled" | "error" | "failedToStart";
  variables?: Record<string, unknown>;
  /** Why it could not start. */
  reason?: string;
}

/** A child of the task has ended: go on with the next one, or finish the task. */
export function endChild(draft: Draft, taskId: string, index: number, end: ChildEnd): void {
  const child = childAt(taskState(draft.state, taskId), index);
  if (!child || !isOpenChild(child) || child.status === end.status) return;
  const { status, variables, reason = "unknown reason" } = end;
  if (status === "failedToStart") record(draft, { change: "childFailed", task: taskId, index, reason });
  else record(draft, { change: "childEnded", task: taskId, index, status, ...(variables ? { variables } : {}) });
  proceed(draft, taskId);
}

function proceed(draft: Draft, taskId: string): void {
  const task = taskState(draft.state, taskId);
  const { loop } = draft.workflow.options(taskId);
  const stop = stopOf(task, loop?.stopWhen);
  if (stop) return stopLoop(draft, taskId, stop);
  if (nextIndexes(task, loop).length > 0) launchChildren(draft, taskId);
  else if (!hasOpenChildren(task)) finishTask(draft, taskId, childResult(task, loop?.stopWhen));
}

/** The loop has what it wants, or too much of what it does not want: the rest of its children is canceled. */
function stopLoop(draft: Draft, taskId: string, stop: "success" | "failure"): void {
  const task = taskState(draft.state, taskId);
  cancelChildren(draft, task);
  if (hasOpenChildren(task)) record(draft, { change: "childrenStopped", task: taskId });
  finishTask(draft, taskId, loopResult(task, draft.workflow.options(taskId).loop?.stopWhen, stop));
}

function childResult(task: TaskState, stopWhen: StopWhen | undefined): TaskResult {
  const failure = stopWhen ? undefined : startFailure(task);
  if (failure) return failure;
  if (isLoop(task.incoming ?? {})) return loopResult(task, stopWhen);
  const child = task.children?.at(0);
  if (child?.status === "canceled") {
    return errorResult("WorkFlowEngine.childJob", `Child job ${child._id} was canceled`);
  }
  return { finishState: "success", outgoing: { job_details: { status: "complete", ...child?.variables } } };
}

/** What the transformation of a loop is given for an element. TaskError for an element that is kept in the store. */
export function shapingValues(
  transformation: object,
  incoming: Record<string, unknown>,
  index: number,
): Record<string, unknown> {
  const element = elementOf(incoming, index);
  requireParsed(`data_array[${index}]`, element);
  const document = transformation as { incoming?: { $id?: string }[] };
  const names = (document.incoming ?? []).map((slot) => slot.$id ?? "");
  return names.length === 1 ? { [names[0] ?? ""]: element } : isJsonObject(element) ? element : {};
}

/**
 * Job variables a child starts with: the mapped ones, then its element's members, then its place in the loop. `shaped`:
 * what the transformation of the loop made of the element, by `$id`.
 */
export function childVariables(
  incoming: Record<string, unknown>,
  index: number,
  shaped?: Record<string, unknown>,
): Record<string, unknown> {
  const mapped = isJsonObject(incoming["variables"]) ? incoming["variables"] : {};
  if (!isLoop(incoming)) return mapped;
  const element = shaped ? onlyObject(shaped) : elementOf(incoming, index);
  const members = isJsonObject(element) && !(element instanceof StoredValue) ? element : {};
  return { ...mapped, ...members, childJobLoopIndex: index };
}

function elementOf(incoming: Record<string, unknown>, index: number): unknown {
  return (incoming["data_array"] as unknown[])[index];
}

/** A transformation with one outgoing object gives the members of that. */
function onlyObject(outgoing: Record<string, unknown>): unknown {
  const values = Object.values(outgoing);
  return values.length === 1 && isJsonObject(values[0]) ? values[0] : outgoing;
}
