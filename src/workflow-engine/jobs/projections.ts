import type { Write } from "../../store/store.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { JobError, JobState, TaskState } from "../interpreter/job-state.ts";
import { accessText } from "./job-access.ts";
import { iterationId } from "./iteration-id.ts";
import type { Shorten } from "./shortened-values.ts";
import { taskDocument } from "./task-document.ts";

/** The job as lists see it: written only when one of its members changes. `shorten`: how messages of errors are shown. */
export function jobHeader(state: JobState, shorten?: Shorten): object {
  const { origin } = state;
  const start = { start_time: state.startedAt, user: origin.initiator.accountId, progress: progressOf(state) };
  return {
    _id: origin._id,
    name: origin.name,
    description: state.description ?? "",
    type: "automation",
    status: state.status,
    workflow_id: origin.workflowId,
    metrics: state.endedAt === undefined ? start : { ...start, end_time: state.endedAt },
    watchers: state.watchers,
    ancestors: [...origin.ancestors, origin._id],
    ...(origin.parent ? { parent: origin.parent } : {}),
    groups: state.groups,
    access: accessText(state.groups),
    created: new Date(state.startedAt).toISOString(),
    created_by: origin.initiator.accountId,
    last_updated: new Date(state.changedAt).toISOString(),
    ...(state.errors.length > 0 ? { error: shownErrors(state.errors, shorten) } : {}),
  };
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
  const writes: ProjectionWrite[] = [];
  if (before === undefined || isHeaderChanged(before, after)) {
    writes.push({ kind: "put", collection: "jobs", document: jobHeader(after, shorten) });
  }
  for (const [taskId, task] of after.tasks) {
    const earlier = before?.tasks.get(taskId);
    if (earlier === task) continue;
    const closed = earlier && closedRow(after, earlier, task);
    if (closed) writes.push(closed);
    if (isOpen(task)) {
      writes.push({ kind: "put", collection: "tasks", document: taskDocument(after, workflow, taskId, shorten) });
    }
  }
  return writes;
}

/** The end of the row of an iteration that is open no more. */
function closedRow({ origin }: JobState, before: TaskState, after: TaskState): ProjectionWrite | undefined {
  const isClosed = isOpen(before) && (!isOpen(after) || after.iteration !== before.iteration);
  return isClosed ? { kind: "remove", collection: "tasks", id: iterationId(origin._id, before.iteration) } : undefined;
}

function isHeaderChanged(before: JobState, after: JobState): boolean {
  return (
    before.status !== after.status ||
    before.description !== after.description ||
    before.errors !== after.errors ||
    before.watchers !== after.watchers ||
    before.groups !== after.groups ||
    progressStep(before) !== progressStep(after)
  );
}

/** Progress in lists moves in quarters, so that a job of many tasks does not rewrite its header with each. */
function progressStep(state: JobState): number {
  return Math.floor(progressOf(state) * 4);
}

/** Open tasks have a row: running, waiting for a person or a timer, in error. */
function isOpen(task: TaskState): boolean {
  return task.iteration > 0 && (task.status === "running" || (task.status === "error" && !task.isSettled));
}
