import type { TaskResult } from "../../core/task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import { changeStatus, record, type Draft } from "./draft.ts";
import { asJson } from "./json-value.ts";
import { originOf, thrownResult } from "./task-error.ts";
import { taskState, type TaskState } from "./job-state.ts";
import type { Edge } from "./workflow-graph.ts";

/**
 * Ends the current iteration of a task: retries it, or writes its results to job variables and
 * decides its transitions (workflow-engine.md §3.3, rules 2, 4, 8).
 */
export function finishTask(draft: Draft, taskId: string, given: TaskResult): void {
  const task = draft.workflow.task(taskId);
  if (!task) return;
  const result = storableResult(task, given);
  const { outgoing, error } = result;
  const finish = (isSettled: boolean) =>
    record(draft, {
      change: "finished",
      task: taskId,
      at: draft.at,
      state: result.finishState,
      outgoing,
      ...(error === undefined ? {} : { error }),
      isSettled,
    });
  const delayMs = retryDelayMs(task, taskState(draft.state, taskId), result);
  if (delayMs !== undefined) {
    finish(false);
    retry(draft, taskId, delayMs);
    return;
  }
  const isWhole = result.finishState === "success" && !taskState(draft.state, taskId).isMocked;
  writeBindings(draft, task, isWhole, outgoing);
  if (error !== undefined) writeVariable(draft, task.variables?.error, error);
  const edges = draft.workflow.edgesFrom(taskId).filter((edge) => edge.state === result.finishState);
  const revert = edges.find((edge) => edge.type === "revert");
  const isFailed = result.finishState === "error" && edges.length === 0;
  finish(!revert && !isFailed);
  if (revert) revertTo(draft, revert);
  else if (isFailed) failJob(draft, taskId, error ?? null);
}

/** The result as the log can hold it. A task whose result it cannot hold ends in error: the job would never move on. */
function storableResult(task: WorkflowTask, { finishState, outgoing, error }: TaskResult): TaskResult {
  try {
    return { finishState, outgoing: asJson(outgoing) as Record<string, unknown>, error: asJson(error) };
  } catch (thrown) {
    return thrownResult(originOf(task), thrown);
  }
}

/** Delay in milliseconds before the next attempt; undefined when there is none. */
function retryDelayMs(task: WorkflowTask, state: TaskState, result: TaskResult): number | undefined {
  const settings = task.retrySettings;
  if (!settings || settings.autoRetry === false || !settings.state.includes(result.finishState)) return undefined;
  if (state.retries >= (settings.limit ?? 0)) return undefined;
  return Math.max(0, settings.delay ?? 0);
}

function retry(draft: Draft, taskId: string, delayMs: number): void {
  const state = taskState(draft.state, taskId);
  const dueAt = draft.at + delayMs;
  record(draft, {
    change: "waiting",
    task: taskId,
    wait: { for: "timer", dueAt, then: "retry" },
    retries: state.retries + 1,
  });
  draft.effects.push({ effect: "timer", task: taskId, iteration: state.iteration, dueAt });
}

/** Writes outgoing values to the job variables they are bound to (`"$var.job.<name>"`). `isWhole`: what is missing was undefined, and is written as that. */
function writeBindings(draft: Draft, task: WorkflowTask, isWhole: boolean, outgoing: Record<string, unknown>): void {
  for (const [name, binding] of Object.entries(task.variables?.outgoing ?? {})) {
    if (isWhole || Object.hasOwn(outgoing, name)) writeVariable(draft, binding, outgoing[name]);
  }
}

function writeVariable(draft: Draft, binding: unknown, value: unknown): void {
  const name = typeof binding === "string" ? /^\$var\.job\.(.+)$/su.exec(binding)?.[1] : undefined;
  if (name === undefined) return;
  if (value === undefined) record(draft, { change: "variable", name, isUndefined: true });
  else record(draft, { change: "variable", name, value });
}

function revertTo(draft: Draft, edge: Edge): void {
  const region = draft.workflow.region(edge.to);
  for (const taskId of region) forgetTask(draft, taskId);
  record(draft, { change: "reverted", task: edge.to });
  // A task that does not lie downstream of its revert target is not reset: it has to decide its other transitions.
  if (!region.has(edge.from)) record(draft, { change: "settled", task: edge.from });
}

/** Drops the work a running task waits for, so that a late result finds nothing to finish. */
export function forgetTask(draft: Draft, taskId: string): void {
  const task = taskState(draft.state, taskId);
  if (task.status !== "running") return;
  if (task.wait?.for === "call" || task.wait?.for === "timer")
    draft.effects.push({ effect: "forget", iteration: task.iteration });
  for (const child of task.children ?? []) {
    if (child.status === "running") draft.effects.push({ effect: "cancelChild", jobId: child._id });
  }
}

/** Puts the job in error; running tasks finish what they do, nothing new is started. */
export function failJob(draft: Draft, taskId: string, message: unknown): void {
  record(draft, { change: "failed", error: { task: taskId, message, timestamp: draft.at } });
  if (draft.state.status !== "error") changeStatus(draft, "error", "jobError");
}
