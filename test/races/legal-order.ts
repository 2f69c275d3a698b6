import { applyChange } from "../../src/workflow-engine/interpreter/apply-change.ts";
import type { Change } from "../../src/workflow-engine/interpreter/changes.ts";
import type { CompiledWorkflow } from "../../src/workflow-engine/interpreter/compiled-workflow.ts";
import { draftOf, type JobState } from "../../src/workflow-engine/interpreter/job-state.ts";
import { jobOperations, jobSteps, taskSteps } from "../../src/workflow-engine/interpreter/state-machines.ts";
import type { LoggedEvent } from "../../src/workflow-engine/jobs/log-format.ts";
import { jobOperationOf } from "./judge-reply.ts";

/** The log of a job, and the state it begins with. */
export interface OrderedLog {
  begun: JobState;
  events: readonly LoggedEvent[];
  workflow: CompiledWorkflow;
}

/** An event on its way through the state machines. */
interface Moment {
  event: LoggedEvent;
  workflow: CompiledWorkflow;
  administrators: ReadonlySet<string>;
  complain(what: string): void;
}

/**
 * What no order of operations may do, event by event: an operation in a status that forbids it, a step that the
 * state machines do not have, anything but sharing and deletion after the end, anything new while the job is held,
 * a task taken from its owner by somebody who is neither the owner nor an administrator.
 */
export function illegalSteps({ begun, events, workflow }: OrderedLog, administrators: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const state = draftOf(begun);
  let lastAt = 0;
  for (const event of events) {
    const { seq, at, delta } = event;
    const moment: Moment = {
      event,
      workflow,
      administrators,
      complain: (what) =>
        void found.push(`event ${seq} (${delta.cause.event} by ${delta.cause.by ?? "itself"}): ${what}`),
    };
    if (at < lastAt) moment.complain(`is ${lastAt - at} ms older than the one before`);
    lastAt = at;
    judgeEvent(moment, state);
  }
  return found;
}

const afterTheEnd = new Set(["watch", "unwatch", "group", "delete"]);

function judgeEvent(moment: Moment, state: JobState): void {
  const { cause, changes } = moment.event.delta;
  const isEnded = state.status === "complete" || state.status === "canceled";
  if (state.isDeleted) moment.complain("comes after its deletion");
  if (isEnded && !afterTheEnd.has(cause.event)) moment.complain(`comes after the job was ${state.status}`);
  if (cause.event === "delete" && !isEnded) moment.complain(`deletes a job that is ${state.status}`);
  const operation = jobOperationOf(cause.event);
  if (operation && !Object.hasOwn(jobOperations[operation].leads, state.status))
    moment.complain(`is asked of a job that is ${state.status}`);
  for (const change of changes) {
    judgeChange(moment, state, change);
    const before = { status: state.status, tasks: new Map(state.tasks), compensation: state.compensation };
    applyChange(state, change, moment.workflow);
    judgeSteps(moment, { before, after: state, change });
  }
  state.seq = moment.event.seq;
}

/** What a change may be in the state it meets. */
function judgeChange(moment: Moment, state: JobState, change: Change): void {
  if (change.change === "started") judgeStart(moment, state, change.task);
  if (change.change === "looped" && state.status !== "running") moment.complain(`loops while ${state.status}`);
  if (change.change === "claimed") judgeClaim(moment, state, change.task);
  if (change.change === "released") judgeOwner(moment, state, change.task);
  if (change.change === "finished") judgeFinish(moment, state, change.task);
  if (change.change === "retried") {
    const task = state.tasks.get(change.task);
    if (task?.status !== "error" || task.isSettled) moment.complain(`retries ${change.task}, which is ${task?.status}`);
  }
}

function judgeStart({ complain }: Moment, { status, compensation, tasks }: JobState, task: string): void {
  if (status !== "running") complain(`starts ${task} while ${status}`);
  if (compensation && compensation.current?.by !== task) complain(`starts ${task} while others are undone`);
  const before = tasks.get(task);
  if (before?.isDead) complain(`starts ${task}, which is dead`);
  if (before && before.pending > 0 && compensation === undefined)
    complain(`starts ${task} before its joins are decided`);
}

function judgeClaim(moment: Moment, { tasks }: JobState, taskId: string): void {
  const { event } = moment.event.delta.cause;
  const task = tasks.get(taskId);
  if (task?.status !== "running" || !waitsForPerson(task.wait))
    moment.complain(`claims ${taskId}, which waits for nobody`);
  if (!task?.owner) return;
  if (event === "assign") judgeOwner(moment, { tasks }, taskId);
  else moment.complain(`claims ${taskId}, which ${task.owner.username} has`);
}

/** Who gives away or gives back is the owner, or an administrator. */
function judgeOwner(
  { event, administrators, complain }: Moment,
  { tasks }: Pick<JobState, "tasks">,
  taskId: string,
): void {
  const owner = tasks.get(taskId)?.owner?.username;
  const { by = "" } = event.delta.cause;
  if (owner === undefined) complain(`takes ${taskId} back from nobody`);
  else if (owner !== by && !administrators.has(by)) complain(`takes ${taskId} from ${owner}`);
}

function judgeFinish(moment: Moment, { tasks }: JobState, taskId: string): void {
  const { event } = moment.event.delta.cause;
  const task = tasks.get(taskId);
  if (!task || !waitsForPerson(task.wait)) return;
  // A task that waits for a person alone is ended by persons alone.
  if (event !== "finishManualTask" && task.wait?.for === "person") moment.complain(`finishes ${taskId} for a person`);
  if (event === "finishManualTask") judgeOwner(moment, { tasks }, taskId);
}

function waitsForPerson(wait: { for: string; isForPerson?: boolean } | undefined): boolean {
  return wait?.for === "person" || (wait?.for === "any" && wait.isForPerson === true);
}

interface Step {
  before: Pick<JobState, "status" | "tasks" | "compensation">;
  after: JobState;
  change: Change;
}

/** Every status that changed took a way that the state machines have, for a reason they give. */
function judgeSteps(moment: Moment, step: Step): void {
  const { before, after, change } = step;
  if (before.status !== after.status) judgeJobStep(moment, step);
  for (const [taskId, { status: to }] of after.tasks) {
    const from = before.tasks.get(taskId)?.status;
    if (from === to) continue;
    const reasons = taskReasons[change.change] ?? [];
    const isKnown = taskSteps.some((known) => known.from === from && known.to === to && reasons.includes(known.by));
    if (!isKnown) moment.complain(`${taskId} goes from ${from} to ${to} by ${change.change}`);
  }
}

function judgeJobStep({ event, complain }: Moment, { before, after }: Step): void {
  const asked = jobOperationOf(event.delta.cause.event);
  const isCanceling = before.compensation?.then === "cancel";
  const reasons = new Set(["end", "failure", ...(asked ? [asked] : []), ...(isCanceling ? ["cancel"] : [])]);
  const isKnown = jobSteps.some(({ from, to, by }) => from === before.status && to === after.status && reasons.has(by));
  if (!isKnown) complain(`the job goes from ${before.status} to ${after.status}`);
}

const taskReasons: Readonly<Partial<Record<Change["change"], readonly string[]>>> = {
  started: ["start"],
  scheduled: ["start"],
  finished: ["finish"],
  waiting: ["retrySettings"],
  requeued: ["retrySettings", "resume", "lock"],
  reverted: ["revert"],
  continued: ["revert"],
  retried: ["retry"],
  looped: ["loop"],
  canceled: ["cancel"],
  status: ["cancel"],
};
