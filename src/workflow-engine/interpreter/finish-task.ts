import { isLongerThan, largestResult, tooLargeResult } from "../../core/result-size.ts";
import type { StoredValue } from "../../core/stored-value.ts";
import { TaskError, type TaskResult } from "../../core/task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import { cancelListed } from "./cancel-tasks.ts";
import { beginCompensation } from "./compensation.ts";
import { compensatorAtWork } from "./completions.ts";
import { changeStatus, chargeFor, record, type Draft } from "./draft.ts";
import { isTakenBy } from "./decisions.ts";
import { forgetTask } from "./forget-task.ts";
import { asJson, noContents, type Contents } from "./json-value.ts";
import { releaseLock } from "./locks.ts";
import { errorResult, originOf, thrownResult } from "./task-error.ts";
import type { Edge } from "./workflow-graph.ts";
import { taskState, type JobState, type TaskState } from "./job-state.ts";

/**
 * Ends the current iteration of a task: retries it, or writes its results to job variables and
 * decides its transitions (workflow-engine.md §3.3, rules 2, 4, 8).
 */
export function finishTask(draft: Draft, taskId: string, given: TaskResult): void {
  const task = draft.workflow.task(taskId);
  if (!task) return;
  const result = chosenResult(draft, taskId, undoResult(draft, taskId, storableResult(draft, taskId, given)));
  const { outgoing, error } = result;
  const finish = (isSettled: boolean) => {
    releaseLock(draft, taskId);
    record(draft, {
      change: "finished",
      task: taskId,
      at: draft.at,
      state: result.finishState,
      outgoing,
      ...(error === undefined ? {} : { error }),
      isSettled,
    });
  };
  const delayMs = retryDelayMs(task, taskState(draft.state, taskId), result);
  if (delayMs !== undefined) {
    finish(false);
    retry(draft, taskId, delayMs);
    return;
  }
  const isWhole = result.finishState === "success" && !taskState(draft.state, taskId).isMocked;
  writeBindings(draft, task, isWhole, outgoing);
  if (error !== undefined) writeVariable(draft, task.variables?.error, error);
  const edges = edgesTaken(draft, taskId, result);
  const revert = edges.find((edge) => edge.type === "revert");
  const isFailed = result.finishState === "error" && edges.length === 0;
  finish(!revert && !isFailed);
  if (revert) resetForward(draft, revert.to, revert.from);
  else if (isFailed) failJob(draft, taskId, error ?? null);
  else if (compensatorAtWork(draft.state) === taskId) record(draft, { change: "compensated" });
  else cancelListed(draft, taskId);
}

/**
 * The result as the log can hold it. A task whose result it cannot hold, or a node's memory cannot, ends in error: the
 * job would never move on.
 */
function storableResult(draft: Draft, taskId: string, given: TaskResult): TaskResult {
  // What child jobs hand up is part of the job already, one by one.
  if (taskState(draft.state, taskId).wait?.for === "children") return given;
  const origin = () => originOf(draft.workflow.task(taskId) ?? { name: taskId });
  const { finishState, outgoing, error } = given;
  try {
    const contents = noContents();
    const kept = {
      outgoing: asJson(outgoing, 0, contents) as Record<string, unknown>,
      error: asJson(error, 0, contents),
    };
    chargeFor(draft, contents);
    requireOwn(draft.state, contents.stored);
    const result = { finishState, ...kept };
    return isTooLarge(result, contents) ? tooLarge(origin()) : result;
  } catch (thrown) {
    return thrownResult(origin(), thrown);
  }
}

/** Quotes and signs take less than ten characters of a value; only what may be too large is looked at once more. */
function isTooLarge({ outgoing, error }: TaskResult, { characters, elements }: Contents): boolean {
  return characters + 10 * elements > largestResult && isLongerThan([outgoing, error], largestResult);
}

/** What belongs to another tree of jobs goes with that one. */
function requireOwn({ origin }: JobState, stored: readonly StoredValue[]): void {
  const root = origin.ancestors[0] ?? origin._id;
  for (const value of stored)
    if (value.root !== root)
      throw new TaskError(`The result holds large value ${value.id}, which belongs to another job`);
}

function tooLarge(origin: string): TaskResult {
  return errorResult(origin, tooLargeResult.message, tooLargeResult.recommendation);
}

/** A decision that chooses a task to which none of its success transitions leads is an error. */
function chosenResult(draft: Draft, taskId: string, result: TaskResult): TaskResult {
  const isChoice = draft.workflow.decisions.has(taskId) && result.finishState === "success";
  if (!isChoice || edgesTaken(draft, taskId, result).length > 0) return result;
  const chosen = JSON.stringify(result.outgoing["return_value"] ?? null).slice(0, 100);
  const origin = originOf(draft.workflow.task(taskId) ?? { name: taskId });
  const message = `The decision chose task ${chosen}, to which none of its success transitions leads`;
  return { ...errorResult(origin, message), outgoing: result.outgoing };
}

function edgesTaken({ workflow }: Draft, taskId: string, result: TaskResult): Edge[] {
  return workflow.edgesFrom(taskId).filter((edge) => isTakenBy(result, edge, workflow.decisions.has(taskId)));
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

/** What does not undo what it should is an error, whatever it calls it. */
function undoResult(draft: Draft, taskId: string, result: TaskResult): TaskResult {
  if (compensatorAtWork(draft.state) !== taskId || result.finishState !== "failure") return result;
  const task = draft.workflow.task(taskId);
  const origin = task ? originOf(task) : taskId;
  return { ...errorResult(origin, "The compensation ended in failure"), outgoing: result.outgoing };
}

/**
 * Takes back the task and everything forward of it: work under way there is dropped, what can be undone is
 * undone, and the task runs again. `from`: the task whose revert transition it is.
 */
export function resetForward(draft: Draft, taskId: string, from?: string): void {
  const then = { revert: taskId, ...(from === undefined ? {} : { from }) };
  if (!beginCompensation(draft, then)) resetForwardNow(draft, taskId, from);
}

/** The same with nothing left to undo. */
export function resetForwardNow(draft: Draft, taskId: string, from?: string): void {
  const region = draft.workflow.region(taskId);
  for (const forward of region) forgetTask(draft, forward);
  record(draft, { change: "reverted", task: taskId });
  // A task that does not lie downstream of its revert target is not reset: it has to decide its other transitions.
  if (from !== undefined && !region.has(from)) record(draft, { change: "settled", task: from });
}

/** Puts the job in error; running tasks finish what they do, nothing new is started. */
export function failJob(draft: Draft, taskId: string, message: unknown): void {
  record(draft, { change: "failed", error: { task: taskId, message, timestamp: draft.at } });
  if (draft.state.status !== "error") changeStatus(draft, "error", "jobError");
  if (draft.state.origin.parent?.tellsError) draft.effects.push({ effect: "notifyParent", status: "error" });
}
