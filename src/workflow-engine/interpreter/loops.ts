import { TaskError } from "../../core/task.ts";
import { record, type Draft } from "./draft.ts";
import { finishTask } from "./finish-task.ts";
import { isUnderWay, taskState } from "./job-state.ts";
import { isOpenError } from "./repair-errors.ts";
import type { Started, StartedTask } from "./start-task.ts";

/** forEach: an empty array, or one without a body, is done at once; otherwise the task waits for its body, element by element. */
export function startLoop({ draft, taskId, incoming }: StartedTask): Started {
  const array = incoming["data_array"];
  if (!Array.isArray(array)) throw new TaskError("forEach needs an array in data_array");
  if (array.length === 0) return { result: { finishState: "success", outgoing: {} } };
  const hasBody = draft.workflow.loopTaskIds.includes(taskId);
  if (!hasBody) return { result: { finishState: "success", outgoing: { current_item: array.at(-1) as unknown } } };
  return { wait: { for: "body" } };
}

/** Moves one loop whose body has come to rest to its next element, or ends it. False when there is none. */
export function advanceLoop(draft: Draft): boolean {
  for (const taskId of draft.workflow.loopTaskIds) {
    if (!isBodyAtRest(draft, taskId)) continue;
    nextElement(draft, taskId);
    return true;
  }
  return false;
}

function isBodyAtRest({ state, workflow }: Draft, taskId: string): boolean {
  const loop = taskState(state, taskId);
  if (loop.status !== "running" || loop.wait?.for !== "body") return false;
  for (const bodyTaskId of workflow.loopBody(taskId)) {
    const bodyTask = taskState(state, bodyTaskId);
    if (state.ready.has(bodyTaskId) || isUnderWay(bodyTask) || isOpenError(bodyTask)) return false;
  }
  return true;
}

function nextElement(draft: Draft, taskId: string): void {
  const loop = taskState(draft.state, taskId);
  const array = loop.incoming?.["data_array"] as readonly unknown[];
  const cursor = (loop.cursor ?? -1) + 1;
  if (cursor < array.length) record(draft, { change: "looped", task: taskId, cursor, item: array[cursor] });
  else finishTask(draft, taskId, { finishState: "success", outgoing: loop.outgoing ?? {} });
}
