import { record, type Draft } from "./draft.ts";
import { finishTask } from "./finish-task.ts";
import { taskState, type TaskState } from "./job-state.ts";
import { nextSeq, timerOf, type WaitTimer } from "./wait-any.ts";

/*
 * Timers of a paused job act once it is not paused any more (workflow-engine.md §7.1). That one came due is
 * written down: its work item is gone then, and whichever node resumes the job knows of it.
 */

/** The timer of the task is due: it acts, or is held while the job is paused. */
export function onTimer(draft: Draft, taskId: string, timer: WaitTimer): void {
  if (draft.state.status !== "paused") return act(draft, taskId, timer);
  const isNew = timer.heldSeq === undefined;
  if (isNew) record(draft, { change: "timerHeld", task: taskId, seq: nextSeq(draft.state) });
}

/** Lets the timers act that were held, in the order in which they came due. */
export function releaseTimers(draft: Draft): void {
  const held = [...draft.state.tasks].flatMap(([taskId, task]) => {
    const seq = heldTimer(task)?.heldSeq;
    return seq === undefined ? [] : [{ taskId, seq }];
  });
  for (const { taskId, seq } of held.toSorted((one, other) => one.seq - other.seq)) {
    // What another timer led to may have taken the task back.
    const timer = heldTimer(taskState(draft.state, taskId));
    if (timer?.heldSeq === seq) act(draft, taskId, timer);
  }
}

/** The timer of a task that came due while the job was paused: what comes after it comes too late. */
export function heldTimer({ status, wait }: TaskState): WaitTimer | undefined {
  const timer = status === "running" ? timerOf(wait) : undefined;
  return timer?.heldSeq === undefined ? undefined : timer;
}

function act(draft: Draft, taskId: string, { then }: WaitTimer): void {
  if (then === "retry") record(draft, { change: "requeued", task: taskId });
  else finishTask(draft, taskId, then);
}
