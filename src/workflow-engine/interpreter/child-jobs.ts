import { isJsonObject } from "../../core/json.ts";
import { TaskError, type TaskResult } from "../../core/task.ts";
import { record, type Draft } from "./draft.ts";
import { finishTask } from "./finish-task.ts";
import { taskState, type ChildJob, type TaskState } from "./job-state.ts";
import { errorResult } from "./task-error.ts";
import type { Started, StartedTask } from "./start-task.ts";

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
  const known = task.children ?? [];
  const indexes = nextIndexes(task.incoming ?? {}, known.length);
  const origin = `${draft.state.origin._id}.${task.iteration}`;
  const started = indexes.map((index): ChildJob => {
    const startedAt = task.startedAt ?? draft.at;
    return { _id: draft.environment.childJobId(startedAt, `${origin}.${index}`), index, status: "running" };
  });
  record(draft, { change: "children", task: taskId, children: [...known, ...started] });
  for (const index of indexes)
    draft.effects.push({ effect: "startChild", task: taskId, iteration: task.iteration, index });
}

function nextIndexes(incoming: Record<string, unknown>, from: number): number[] {
  if (!isLoop(incoming)) return [0];
  const { length } = incoming["data_array"] as unknown[];
  const to = incoming["loopType"] === "parallel" ? length : Math.min(from + 1, length);
  return Array.from({ length: to - from }, (_, offset) => from + offset);
}

/** Is the childJob task a loop: one child per element of `data_array`? */
export function isLoop(incoming: Record<string, unknown>): boolean {
  return incoming["loopType"] === "sequential" || incoming["loopType"] === "parallel";
}

/** How a child ended, as it is told to its parent. */
export interface ChildEnd {
  status: "complete" | "canceled" | "failedToStart";
  variables?: Record<string, unknown>;
  /** Why it could not start. */
  reason?: string;
}

/** A child of the task has ended: go on with the next one, or finish the task. */
export function endChild(draft: Draft, taskId: string, index: number, end: ChildEnd): void {
  const child = taskState(draft.state, taskId).children?.find((candidate) => candidate.index === index);
  if (!child || child.status !== "running") return;
  if (end.status === "failedToStart") return finishTask(draft, taskId, startFailure(end));
  record(draft, {
    change: "childEnded",
    task: taskId,
    index,
    status: end.status,
    ...(end.variables ? { variables: end.variables } : {}),
  });
  proceed(draft, taskId);
}

function proceed(draft: Draft, taskId: string): void {
  const task = taskState(draft.state, taskId);
  const { children = [], incoming = {} } = task;
  if (children.some((child) => child.status === "running")) return;
  if (isLoop(incoming) && nextIndexes(incoming, children.length).length > 0) launchChildren(draft, taskId);
  else finishTask(draft, taskId, childResult(task));
}

function startFailure(end: ChildEnd): TaskResult {
  return errorResult("WorkFlowEngine.childJob", `Error starting child job: ${end.reason ?? "unknown reason"}`);
}

function childResult(task: TaskState): TaskResult {
  const children = task.children ?? [];
  if (isLoop(task.incoming ?? {})) {
    const loop = children.map((child) => child.variables ?? {});
    return { finishState: "success", outgoing: { job_details: { status: "complete", loop } } };
  }
  const child = children[0];
  if (child?.status === "canceled") {
    return errorResult("WorkFlowEngine.childJob", `Child job ${child._id} was canceled`);
  }
  return { finishState: "success", outgoing: { job_details: { status: "complete", ...child?.variables } } };
}

/** Job variables a child starts with: the mapped ones, then its element's members, then its place in the loop. */
export function childVariables(
  draft: Pick<Draft, "environment">,
  incoming: Record<string, unknown>,
  index: number,
  transformation?: object,
): Record<string, unknown> {
  const mapped = isJsonObject(incoming["variables"]) ? incoming["variables"] : {};
  if (!isLoop(incoming)) return mapped;
  const element = (incoming["data_array"] as unknown[])[index];
  const shaped = transformation ? shapeElement(draft, transformation, element) : element;
  return { ...mapped, ...(isJsonObject(shaped) ? shaped : {}), childJobLoopIndex: index };
}

function shapeElement({ environment }: Pick<Draft, "environment">, transformation: object, element: unknown): unknown {
  const document = transformation as { incoming?: { $id?: string }[] };
  const names = (document.incoming ?? []).map((slot) => slot.$id ?? "");
  const incoming = names.length === 1 ? { [names[0] ?? ""]: element } : isJsonObject(element) ? element : {};
  const outgoing = environment.transform(transformation as never, incoming, { extractOutput: false });
  const values = Object.values(outgoing);
  return values.length === 1 && isJsonObject(values[0]) ? values[0] : outgoing;
}
