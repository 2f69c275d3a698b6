import { notFound } from "../../core/errors.ts";
import { endTaskId } from "../workflow-schema.ts";
import { createState } from "./apply-change.ts";
import { endChild } from "./child-jobs.ts";
import { cancelUpstream } from "./cancel-tasks.ts";
import { assignTask, cancelJob, claimTask, finishManualTask, pauseJob, releaseTask, resumeJob } from "./commands.ts";
import type { Cause, Delta } from "./changes.ts";
import { deleteJob } from "./delete-job.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import { changeStatus, missSla, record, type Draft, type Effect, type Environment } from "./draft.ts";
import { requireUncompensated } from "./compensation.ts";
import { driveCompensation } from "./drive-compensation.ts";
import { takeEvent } from "./event-listener.ts";
import type { JobEvent } from "./events.ts";
import { failJob, finishTask } from "./finish-task.ts";
import { heldTimer, onTimer, releaseTimers } from "./held-timers.ts";
import { draftOf, isUnderWay, taskState, type JobOrigin, type JobState, type TaskState } from "./job-state.ts";
import { grantLock, passLock, queueForLock, refuseLock, releaseLock, type LockEvent } from "./locks.ts";
import { advanceLoop } from "./loops.ts";
import { continueJob } from "./repair-continue.ts";
import { hasOpenError } from "./repair-errors.ts";
import { retryTask } from "./repair-retry.ts";
import { fixJob, revertJob } from "./repair-revert.ts";
import { slaDueAt } from "./sla.ts";
import { groupJob, unwatchJob, watchJob } from "./sharing.ts";
import { startTask } from "./start-task.ts";
import { errorResult, originOf } from "./task-error.ts";
import { timerOf } from "./wait-any.ts";

/** What an event makes of a job. `delta` is to be written before any of `effects` happens. */
export interface Activation {
  state: JobState;
  delta: Delta;
  effects: Effect[];
}

/** What the interpreter works with: the compiled workflow, the pure surroundings, and the time of the event. */
export interface ActivationContext {
  workflow: CompiledWorkflow;
  environment: Environment;
  /** Milliseconds since the epoch. */
  at: number;
}

// An activation lets others run after this much (`Effort`), some twenty milliseconds, so that no loop of engine tasks
// can hold the node.
const effortPerActivation = 1_000;

/** Creates a job and runs it until it needs the outside or ends. */
export function createJob(origin: JobOrigin, context: ActivationContext): Activation {
  const draft = newDraft(createState(origin, context.at, context.workflow), context);
  draft.changes.push({ change: "created", at: context.at, origin });
  draft.effects.push({ effect: "publish", topic: "jobStart" });
  const dueAt = slaDueAt(draft.state, draft.workflow);
  if (dueAt !== undefined) draft.effects.push({ effect: "sla", dueAt });
  runReady(draft);
  return activationOf(draft, { event: "start", by: origin.initiator.username });
}

/**
 * Applies one event to a job and runs it on until it needs the outside or ends. Pure: the given
 * state is left as it was. A void event gives a delta without changes; a command that the job's
 * state forbids throws PlatformError CONFLICT.
 */
export function advance(state: JobState, event: JobEvent, context: ActivationContext): Activation {
  const draft = handleEvent(state, event, context);
  runReady(draft);
  return activationOf(draft, causeOf(event));
}

/** The event alone, on a copy of the state: nothing that becomes ready by it is started. Throws what `advance` throws. */
export function handleEvent(state: JobState, event: JobEvent, context: ActivationContext): Draft {
  if (state.isDeleted) throw notFound(`Job ${state.origin._id} not found`);
  const draft = newDraft(draftOf(state), context);
  handle(draft, event);
  if (state.status === "paused" && isUnpaused(draft.state)) releaseTimers(draft);
  return draft;
}

/** Also a job that failed while it was paused is not paused any more: what is under way in it comes to its end. */
function isUnpaused({ status }: JobState): boolean {
  return status === "running" || status === "error";
}

function newDraft(state: JobState, { workflow, environment, at }: ActivationContext): Draft {
  return { state, workflow, environment, at, changes: [], effects: [] };
}

function causeOf(event: JobEvent): Cause {
  return "by" in event ? { event: event.event, by: event.by.username } : { event: event.event };
}

function activationOf({ state, changes, effects, at }: Draft, cause: Cause): Activation {
  if (changes.length > 0) {
    state.seq += 1;
    state.changedAt = at;
  }
  return { state, delta: { cause, changes }, effects };
}

type Handlers = { [Kind in JobEvent["event"]]: (draft: Draft, event: Extract<JobEvent, { event: Kind }>) => void };

const handlers: Handlers = {
  proceed: () => undefined,
  taskResult: (draft, event) => {
    if (waitOf(draft, event)?.for === "call") finishTask(draft, event.task, event.result);
  },
  timerDue: (draft, event) => {
    const timer = timerOf(waitOf(draft, event));
    if (timer) onTimer(draft, event.task, timer);
  },
  windowOpens: (draft, event) => {
    const task = draft.state.tasks.get(event.task);
    const isHeld = task?.status === "scheduled" && task.iteration === event.iteration && task.wait?.for === "window";
    if (isHeld) record(draft, { change: "opened", task: event.task });
  },
  callLasts: (draft, event) => {
    if (waitOf(draft, event)?.for === "call") record(draft, { change: "lasting", task: event.task });
  },
  slaDue: (draft) => {
    const { status } = draft.state;
    if (status !== "complete" && status !== "canceled") missSla(draft);
  },
  eventArrived: (draft, event) => {
    const task = draft.state.tasks.get(event.task);
    // A timer that is held came first.
    if (task && waitOf(draft, event) && !heldTimer(task)) takeEvent(draft, event);
  },
  childEnded: (draft, event) => {
    if (waitOf(draft, event)?.for === "children") endChild(draft, event.task, event.index, event.end);
  },
  lockGranted: grantLock,
  lockQueued: queueForLock,
  lockPassed: passLock,
  lockRefused: onLockRefused,
  pause: pauseJob,
  resume: resumeJob,
  cancel: cancelJob,
  delete: deleteJob,
  fix: fixJob,
  revert: revertJob,
  continue: continueJob,
  retry: retryTask,
  claim: claimTask,
  assign: assignTask,
  release: releaseTask,
  finishManualTask,
  watch: watchJob,
  unwatch: unwatchJob,
  group: groupJob,
};

function handle(draft: Draft, event: JobEvent): void {
  requireUncompensated(draft.state, event);
  const handler = handlers[event.event] as (draft: Draft, event: JobEvent) => void;
  handler(draft, event);
}

/** What the task waits for, if the event belongs to the iteration it is in. */
function waitOf({ state }: Draft, { task: taskId, iteration }: { task: string; iteration: number }): TaskState["wait"] {
  const task = state.tasks.get(taskId);
  return task?.status === "running" && task.iteration === iteration ? task.wait : undefined;
}

const sameOrder = "Let all workflows take these locks in the same order.";

function onLockRefused(draft: Draft, event: Extract<LockEvent, { event: "lockRefused" }>): void {
  const reason = refuseLock(draft, event);
  const task = draft.workflow.task(event.task);
  if (task) finishTask(draft, event.task, errorResult(originOf(task), reason, sameOrder));
}

/** Starts everything that is ready, and whatever becomes ready by it, in order. */
function runReady(draft: Draft): void {
  const { state } = draft;
  const { effort } = draft.environment;
  const enough = effort.spent + effortPerActivation;
  while (state.status === "running") {
    if (effort.spent >= enough) {
      draft.effects.push({ effect: "proceed" });
      return;
    }
    effort.spent += 1;
    if (state.compensation) {
      if (!driveCompensation(draft, state.compensation)) return;
      continue;
    }
    const taskId = nextReady(draft);
    if (taskId !== undefined) startTask(draft, taskId);
    else if (isEndDecided(draft) || !advanceLoop(draft)) return conclude(draft);
  }
}

/** The next task to start, in the order they became ready. What becomes ready after the end is not started (workflow-engine.md §3.3.6). */
function nextReady({ state }: Draft): string | undefined {
  const first = state.ready.values().next();
  return first.done || first.value === endTaskId ? undefined : first.value;
}

function isEndDecided({ state }: Draft): boolean {
  return state.ready.has(endTaskId);
}

/** Nothing can be started: the job waits for the outside, has reached its end, or is stuck. */
function conclude(draft: Draft): void {
  // A repair may have left other tasks in error; they hold the job once the repaired part is done.
  const isHeld = hasOpenError(draft.state);
  if (isEndDecided(draft)) cancelUpstream(draft, endTaskId);
  for (const task of draft.state.tasks.values()) {
    const isOnlyLooping = task.wait?.for === "body" && (isEndDecided(draft) || isHeld);
    if (isUnderWay(task) && !isOnlyLooping) return;
  }
  if (isHeld) return changeStatus(draft, "error", "jobError");
  if (isEndDecided(draft)) return completeJob(draft);
  failJob(draft, "job", stuckMessage(draft));
}

function completeJob(draft: Draft): void {
  // A loop that is not over when the end is reached stays as it is.
  for (const taskId of draft.workflow.loopTaskIds) releaseLock(draft, taskId);
  record(draft, { change: "started", task: endTaskId, iteration: 0, at: draft.at, incoming: {} });
  record(draft, { change: "finished", task: endTaskId, at: draft.at, state: "success", isSettled: true });
  changeStatus(draft, "complete", "jobComplete");
  if (draft.state.origin.parent) draft.effects.push({ effect: "notifyParent", status: "complete" });
}

/** A job that can go nowhere says which tasks could have led on (workflow-engine.md §3.3.7). */
function stuckMessage({ state, workflow }: Draft): string {
  const candidates = workflow.taskIds.filter((taskId) => {
    const task = taskState(state, taskId);
    const isFinished = task.status === "complete" || task.status === "error";
    return isFinished && !workflow.edgesFrom(taskId).some((edge) => edge.state === task.finishState);
  });
  const named = candidates.filter((taskId) => workflow.region(taskId).has(endTaskId));
  const ids = (named.length > 0 ? named : candidates).join(", ");
  return (
    `Job has no available transitions. ${ids} could have led to the workflow end task, but did not. ` +
    "These tasks performed in a way that the end of the workflow could not be reached."
  );
}
