import { handleEvent, type ActivationContext } from "./advance.ts";
import { openCompletions } from "./compensation.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import { concludeCompensation } from "./drive-compensation.ts";
import type { JobEvent } from "./events.ts";
import { heldTimer } from "./held-timers.ts";
import {
  isUnderWay,
  taskState,
  type Compensation,
  type JobState,
  type JobStatus,
  type TaskState,
} from "./job-state.ts";

/** What an operation would do to a job. Tasks are named by their ids. */
export interface JobPreview {
  dryRun: true;
  /** The status right after the operation, before any task runs. */
  job: { _id: string; status: JobStatus };
  tasks: {
    /** Lose what they have. */
    reset: string[];
    /** Start as soon as the job is running, those that undo something first and one after the other. */
    run: string[];
    /** Keep what they have or do. */
    stay: string[];
    /** Are stopped, or will not be started any more. */
    canceled: string[];
  };
  /** Children of this job that are canceled, and theirs with them. */
  childJobs: { canceled: string[] };
}

/** What the event would do: judged by the code that does it, on a draft that is thrown away. Throws what `advance` would throw. */
export function previewEvent(state: JobState, event: JobEvent, context: ActivationContext): JobPreview {
  const draft = handleEvent(state, event, context);
  const { status } = draft.state;
  const then = begunCompensation(state, draft.state);
  const undoing = then === undefined ? [] : undoingTasks(draft.state, context.workflow, then);
  if (then !== undefined) concludeCompensation(draft, then);
  const chosen = (isChosen: (before: TaskState, after: TaskState) => boolean) =>
    [...state.tasks].filter(([id, task]) => isChosen(task, taskState(draft.state, id))).map(([id]) => id);
  return {
    dryRun: true,
    job: { _id: state.origin._id, status },
    tasks: {
      reset: chosen(isReset),
      run: [...undoing, ...context.workflow.taskIds.filter((id) => draft.state.ready.has(id))],
      stay: chosen((before, now) => isBegun(before) && !isReset(before, now) && !isCanceled(before, now)),
      canceled: chosen(isCanceled).filter((id) => !undoing.includes(id)),
    },
    childJobs: { canceled: draft.effects.flatMap((effect) => (effect.effect === "cancelChild" ? [effect.jobId] : [])) },
  };
}

/** What takes place once everything is undone that this event takes back. */
function begunCompensation(before: JobState, after: JobState): Compensation["then"] | undefined {
  return after.compensation === before.compensation ? undefined : after.compensation?.then;
}

/** The tasks that undo what the job has done, in the order in which they run: one that undoes twice is named twice. */
function undoingTasks(state: JobState, workflow: CompiledWorkflow, then: Compensation["then"]): string[] {
  const open = openCompletions(state, workflow, then).toReversed();
  return open.flatMap(({ task }) => workflow.options(task).compensation ?? []);
}

function isBegun({ status }: TaskState): boolean {
  return status !== "incomplete";
}

function isReset(before: TaskState, after: TaskState): boolean {
  return isBegun(before) && after.status === "incomplete";
}

function isCanceled(before: TaskState, after: TaskState): boolean {
  // Where a timer came due nothing is under way any more: the task goes on.
  const isStopped = isUnderWay(before) && !isUnderWay(after) && !heldTimer(before);
  return isStopped || (after.status === "canceled" && before.status !== "canceled");
}
