import type { FinishState } from "../../core/task.ts";
import type { Write } from "../../store/store.ts";
import type { Change, Delta } from "../interpreter/changes.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { JobState } from "../interpreter/job-state.ts";
import { endTaskId, startTaskId } from "../workflow-schema.ts";
import {
  dayOf,
  jobMetricCollection,
  metricId,
  taskKey,
  taskMetricCollection,
  type JobFigures,
  type JobMetricDocument,
  type TaskFigures,
  type TaskMetricDocument,
} from "./metric-documents.ts";

/** An activation as far as figures follow from it. */
export interface MeasuredStep {
  /** Undefined: the job was created. */
  before: JobState | undefined;
  state: JobState;
  delta: Delta;
  workflow: CompiledWorkflow;
}

/** A write that adds to figures. */
export interface MetricWrite extends Extract<Write, { kind: "add" }> {
  document: JobMetricDocument | TaskMetricDocument;
}

/** Finds what an activation adds to the figures of its workflow (workflow-engine.md §8.6). */
export type MetricIncrements = (step: MeasuredStep) => MetricWrite[];

/** Tasks of a workflow whose figures share a document, about: what a finished task makes the store write stays small. */
const tasksPerDocument = 32;

/**
 * Counts for one slot. Nodes on one store have slots of their own, as far as there are, so that they do not
 * wait for each other's rows. An iteration counts when it finishes, under its finish state; a manual one also as
 * manual time. A job counts when it completes, and against its SLA when that is missed.
 */
export function createMetricIncrements(slot: string): MetricIncrements {
  const known = new WeakMap<CompiledWorkflow, MeasuredWorkflow>();
  const measuredOf = (workflow: CompiledWorkflow, { origin }: JobState): MeasuredWorkflow => {
    const found = known.get(workflow);
    if (found) return found;
    const made = new MeasuredWorkflow(workflow, origin.workflowId, slot);
    known.set(workflow, made);
    return made;
  };
  return (step) => {
    const counted = count(step);
    if (counted.tasks.length === 0 && Object.keys(counted.job).length === 0) return [];
    return measuredOf(step.workflow, step.state).writes(dayOf(step.state.changedAt), counted);
  };
}

/** A finished iteration. */
interface CountedTask {
  taskId: string;
  state: FinishState;
  runTime: number;
}

interface Counted {
  job: JobFigures;
  tasks: CountedTask[];
}

function count(step: MeasuredStep): Counted {
  const counted: Counted = { job: {}, tasks: [] };
  const starts = new Map<string, number>();
  for (const change of step.delta.changes) {
    if (change.change === "started") starts.set(change.task, change.at);
    else if (change.change === "finished") countTask(step, change, starts, counted);
    else if (change.change === "slaMissed") counted.job.slaTargetsMissed = 1;
    else if (change.change === "status" && change.status === "complete") countEnd(step, change.at, counted.job);
  }
  return counted;
}

function countTask(
  { before, workflow }: MeasuredStep,
  change: Extract<Change, { change: "finished" }>,
  starts: ReadonlyMap<string, number>,
  { job, tasks }: Counted,
): void {
  const { task: taskId, at, state } = change;
  if (taskId === startTaskId || taskId === endTaskId) return;
  const runTime = passed(starts.get(taskId) ?? before?.tasks.get(taskId)?.startedAt, at);
  tasks.push({ taskId, state, runTime });
  if (workflow.task(taskId)?.type === "manual" && runTime > 0) {
    job.totalManualTime = (job.totalManualTime ?? 0) + runTime;
  }
}

function countEnd({ state }: MeasuredStep, at: number, job: JobFigures): void {
  job.jobsComplete = 1;
  job.totalRunTime = passed(state.startedAt, at);
}

/** Clocks of two nodes may differ. */
function passed(from: number | undefined, to: number): number {
  return Math.max(0, to - (from ?? to));
}

const totals: Readonly<Record<FinishState, keyof TaskFigures | undefined>> = {
  success: "totalSuccesses",
  failure: "totalFailures",
  error: "totalErrors",
  loop: undefined,
};

/** Names and identifiers of a workflow as its figures carry them, made once. */
class MeasuredWorkflow {
  readonly #compiled: CompiledWorkflow;
  readonly #workflow: { _id: string; name: string };
  readonly #slot: string;
  /** Documents that the figures of the tasks are spread over. */
  readonly #parts: number;
  readonly #keys = new Map<string, { key: string; part: string }>();

  constructor(compiled: CompiledWorkflow, workflowId: string, slot: string) {
    this.#compiled = compiled;
    this.#workflow = { _id: storable(workflowId), name: storable(compiled.snapshot.workflow.name) };
    this.#slot = slot;
    this.#parts = Math.ceil(compiled.taskIds.length / tasksPerDocument);
  }

  writes(day: string, { job, tasks }: Counted): MetricWrite[] {
    const writes: MetricWrite[] = [];
    if (Object.keys(job).length > 0) {
      const _id = metricId(day, this.#slot, this.#workflow._id);
      writes.push(addition(jobMetricCollection, { _id, workflow: this.#workflow, day, ...job }));
    }
    for (const [part, figures] of this.#figures(tasks)) {
      const _id = metricId(day, this.#slot, part, this.#workflow._id);
      writes.push(addition(taskMetricCollection, { _id, workflow: this.#workflow, day, tasks: figures }));
    }
    return writes;
  }

  #figures(tasks: readonly CountedTask[]): Map<string, Record<string, TaskFigures>> {
    const parts = new Map<string, Record<string, TaskFigures>>();
    for (const { taskId, state, runTime } of tasks) {
      const total = totals[state];
      if (!total) continue;
      const { key, part } = this.#keyOf(taskId);
      let figures = parts.get(part);
      if (!figures) parts.set(part, (figures = {}));
      const sums = (figures[key] ??= {});
      sums[total] = (sums[total] ?? 0) + 1;
      if (runTime > 0) sums.totalRunTime = (sums.totalRunTime ?? 0) + runTime;
    }
    return parts;
  }

  #keyOf(taskId: string): { key: string; part: string } {
    const known = this.#keys.get(taskId);
    if (known) return known;
    const { app = "", name = "", type = "" } = this.#compiled.task(taskId) ?? {};
    const key = taskKey({
      taskId: storable(taskId),
      app: storable(app),
      name: storable(name),
      taskType: storable(type),
    });
    const made = { key, part: String(sumOf(taskId) % this.#parts) };
    this.#keys.set(taskId, made);
    return made;
  }
}

function addition(collection: string, document: MetricWrite["document"]): MetricWrite {
  return { kind: "add", collection, document };
}

/** The same number for the same text, spread evenly. */
function sumOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = (Math.imul(sum, 31) + text.charCodeAt(index)) | 0;
  return sum >>> 0;
}

/** A text without the characters that not every store can take apart. */
function storable(text: string): string {
  return text.replaceAll(/\p{Surrogate}|\0/gu, "\u{FFFD}");
}
