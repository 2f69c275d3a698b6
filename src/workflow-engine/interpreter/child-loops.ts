import type { TaskResult } from "../../core/task.ts";
import { childCountsOf } from "./child-list.ts";
import type { TaskState } from "./job-state.ts";
import { errorResult } from "./task-error.ts";
import type { LoopLimits, StopWhen } from "./task-options.ts";

/*
 * How far a loop of child jobs goes (spec: control-flow-patterns.md, patterns 26, 27, 34, 35): how many
 * children are under way at a time, and when the rest is not waited for.
 */

/** Indexes of the elements whose children may start now. */
export function nextIndexes(task: TaskState, limits: LoopLimits | undefined): number[] {
  const { incoming = {} } = task;
  // A child that cannot be started will never be repaired: where failures do not count, the task ends in error.
  if (!limits?.stopWhen && childCountsOf(task).failed > 0) return [];
  const known = task.children?.length ?? 0;
  if (!isLoop(incoming)) return known === 0 ? [0] : [];
  const { length } = elementsOf(task);
  const places = incoming["loopType"] === "parallel" ? (limits?.maxParallel ?? length) : 1;
  // Who counts failures goes on past a child in error; everybody else waits for its repair.
  const to = Math.min(length, known + Math.max(0, places - childCountsOf(task).running));
  return Array.from({ length: to - known }, (_, offset) => known + offset);
}

/** Is the childJob task a loop: one child per element of `data_array`? */
export function isLoop(incoming: Record<string, unknown>): boolean {
  return incoming["loopType"] === "sequential" || incoming["loopType"] === "parallel";
}

/** How the loop ends before its children have: undefined when it goes on. */
export function stopOf(task: TaskState, stopWhen: StopWhen | undefined): "success" | "failure" | undefined {
  const { incoming = {} } = task;
  if (!stopWhen || !isLoop(incoming)) return undefined;
  const { length } = elementsOf(task);
  const counts = childCountsOf(task);
  if (counts.complete >= (stopWhen.completed ?? Infinity)) return "success";
  const failed = counts.canceled + counts.error + counts.failed;
  const isTooMany =
    failed >= (stopWhen.failed ?? Infinity) || (failed * 100) / length >= (stopWhen.failedPercent ?? Infinity);
  return isTooMany ? "failure" : undefined;
}

/** The result of a loop whose children have all ended, or that goes no further. */
export function loopResult(task: TaskState, stopWhen: StopWhen | undefined, stop?: "success" | "failure"): TaskResult {
  const children = [...(task.children ?? [])];
  const wanted = Math.min(stopWhen?.completed ?? 0, elementsOf(task).length);
  const finishState = stop ?? (childCountsOf(task).complete >= wanted ? "success" : "failure");
  const ran = stopWhen ? children.filter((child) => child.variables !== undefined) : children;
  const loop = ran.map((child) => child.variables ?? {});
  const status = finishState === "success" ? "complete" : "failure";
  const error = finishState === "failure" ? startFailure(task)?.error : undefined;
  return { finishState, outgoing: { job_details: { status, loop } }, ...(error === undefined ? {} : { error }) };
}

/** The error of a task with a child that could not be started, the first one; undefined when all could. */
export function startFailure(task: TaskState): TaskResult | undefined {
  if (childCountsOf(task).failed === 0) return undefined;
  const failed = [...(task.children ?? [])].find(({ status }) => status === "failed");
  return errorResult("WorkFlowEngine.childJob", `Error starting child job: ${failed?.reason}`);
}

function elementsOf({ incoming = {} }: TaskState): readonly unknown[] {
  return incoming["data_array"] as unknown[];
}
