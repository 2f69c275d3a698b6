import type { Write } from "../../store/store.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import { isUnderWay, type JobError, type JobState, type TaskState } from "../interpreter/job-state.ts";
import { accessText, participantsText, taskAccessText } from "./job-access.ts";
import { eventWaitWrites } from "./event-waits.ts";
import { iterationId } from "./iteration-id.ts";
import type { Shorten } from "./shortened-values.ts";
import { taskDocument } from "./task-document.ts";

/** The job as lists read it, with what they are restricted and counted by (`header-members.ts`): written only when one of its members changes. */
export function jobHeader(state: JobState, shorten?: Shorten): object {
  const participants = participantsText([state.origin.initiator.accountId, ...state.watchers, ...state.owners]);
  return Object.assign(shownHeader(state, shorten), { access: accessText(state.groups), participants });
}

/** The job as answers show it. `shorten`: how messages of errors are shown. */
export function shownHeader(state: JobState, shorten?: Shorten): object {
  const { origin } = state;
  const start = { start_time: state.startedAt, user: origin.initiator.accountId, progress: progressOf(state) };
  const header: Record<string, unknown> = {
    _id: origin._id,
    name: origin.name,
    description: state.description ?? "",
    type: "automation",
    status: state.status,
    workflow_id: origin.workflowId,
    metrics: state.endedAt === undefined ? start : { ...start, end_time: state.endedAt },
    watchers: state.watchers,
    ancestors: [...origin.ancestors, origin._id],
    groups: state.groups,
    created: new Date(state.startedAt).toISOString(),
    created_by: origin.initiator.accountId,
    last_updated: new Date(state.changedAt).toISOString(),
  };
  // Not spread into the literal, which is many times slower: every activation shows a header twice.
  if (origin.parent) header["parent"] = origin.parent;
  if (state.compensation) header["compensating"] = true;
  if (state.slaMissed) header["slaMissed"] = true;
  if (state.errors.length > 0) header["error"] = shownErrors(state.errors, shorten);
  return header;
}

function shownErrors(errors: readonly JobError[], shorten: Shorten | undefined): readonly JobError[] {
  return shorten ? errors.map((error) => ({ ...error, message: shorten(error.message) })) : errors;
}

/** Share of tasks that are decided, 0 to 1; 1 when the job is complete. */
export function progressOf(state: JobState): number {
  if (state.status === "complete") return 1;
  let decided = 0;
  for (const task of state.tasks.values()) if (task.isSettled) decided += 1;
  return Math.round((decided / state.tasks.size) * 100) / 100;
}

/** A write to a read model. */
export type ProjectionWrite = Extract<Write, { kind: "put" | "remove" }>;

/**
 * Writes that bring the read models from one state of a job to a later one. `shorten`: how values of
 * users are shown; undefined: as they are, for none is large.
 */
export function projectionWrites(
  before: JobState | undefined,
  after: JobState,
  workflow: CompiledWorkflow,
  shorten?: Shorten,
): ProjectionWrite[] {
  if (after.isDeleted) return allRemovals(before ?? after);
  const writes: ProjectionWrite[] = [];
  if (before === undefined || isHeaderChanged(before, after)) {
    writes.push({ kind: "put", collection: "jobs", document: jobHeader(after, shorten) });
  }
  const isRegrouped = hasOtherGroups(before, after);
  for (const [taskId, task] of after.tasks) {
    const earlier = before?.tasks.get(taskId);
    if (earlier === task && !isRegrouped) continue;
    writes.push(...eventWaitWrites(after.origin._id, taskId, { before: earlier, after: task }));
    const closed = earlier && closedRow(after, earlier, task);
    if (closed) writes.push(closed);
    if (isRowChanged(earlier, task, isRegrouped)) {
      writes.push({ kind: "put", collection: "tasks", document: taskRow(after, workflow, taskId, shorten) });
    }
  }
  return writes;
}

/** Has the task a row that is new? Of child jobs a row has identifiers alone, and only so many: that one of them ended changes nothing. */
function isRowChanged(before: TaskState | undefined, after: TaskState, isRegrouped: boolean): boolean {
  if (!isOpen(after)) return false;
  if (!before || isRegrouped) return true;
  const { children: _children, childCounts: _childCounts, ...members } = after;
  const isSame = Object.entries(members).every(([name, value]) => before[name as keyof TaskState] === value);
  return !isSame || shownChildren(before) !== shownChildren(after);
}

function shownChildren({ children }: TaskState): number | undefined {
  return children && Math.min(children.length, rowExtent.childJobs);
}

/** Rows carry the groups of their job. */
function hasOtherGroups(before: JobState | undefined, after: JobState): boolean {
  return before !== undefined && before.groups !== after.groups;
}

/** A row is written again with each change: of a long loop it shows the newest iterations and the first child jobs. The single task shows all. */
const rowExtent = { iterations: 100, childJobs: 100 };

/** The row of an open task: its document, and what lists restrict and count it by. */
export function taskRow(state: JobState, workflow: CompiledWorkflow, taskId: string, shorten?: Shorten): object {
  const access = taskAccessText(state.groups, workflow.task(taskId));
  return Object.assign(taskDocument(state, workflow, taskId, { ...rowExtent, shorten }), { access });
}

/** The end of every row of a job. */
function allRemovals({ origin, tasks }: JobState): ProjectionWrite[] {
  const open = [...tasks.values()].filter(isOpen).map(({ iteration }) => iterationId(origin._id, iteration));
  return [
    { kind: "remove", collection: "jobs", id: origin._id },
    ...open.map((id) => ({ kind: "remove", collection: "tasks", id }) as const),
  ];
}

/** The end of the row of an iteration that is open no more. */
function closedRow({ origin }: JobState, before: TaskState, after: TaskState): ProjectionWrite | undefined {
  const isClosed = isOpen(before) && (!isOpen(after) || after.iteration !== before.iteration);
  return isClosed ? { kind: "remove", collection: "tasks", id: iterationId(origin._id, before.iteration) } : undefined;
}

function isHeaderChanged(before: JobState, after: JobState): boolean {
  return (
    before.status !== after.status ||
    (before.compensation === undefined) !== (after.compensation === undefined) ||
    before.description !== after.description ||
    before.errors !== after.errors ||
    before.slaMissed !== after.slaMissed ||
    before.watchers !== after.watchers ||
    before.owners !== after.owners ||
    before.groups !== after.groups ||
    progressStep(before) !== progressStep(after)
  );
}

/** Progress in lists moves in quarters, so that a job of many tasks does not rewrite its header with each. */
function progressStep(state: JobState): number {
  return Math.floor(progressOf(state) * 4);
}

/** Open tasks have a row: waiting for a person, a timer or whatever else, in error, or with a call that lasts. Most calls end before anybody could look. */
function isOpen(task: TaskState): boolean {
  if (task.iteration === 0) return false;
  if (task.wait?.for === "call") return task.isLasting;
  return isUnderWay(task) || (task.status === "error" && !task.isSettled);
}
