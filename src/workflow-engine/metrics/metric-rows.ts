import {
  parseTaskKey,
  startOfDay,
  type JobMetricDocument,
  type MeasuredTask,
  type TaskFigures,
  type TaskMetricDocument,
} from "../jobs/metric-documents.ts";
import type { JobDay, JobMetrics, TaskDay, TaskMetrics } from "./metric-schema.ts";

/** Rows by workflow, made of documents that come in the order of their days. */
export class JobRows {
  readonly #rows = new Map<string, JobMetrics>();
  readonly #starts = new DayStarts();

  add({ workflow, day, ...figures }: JobMetricDocument): void {
    const { jobsComplete = 0, totalRunTime = 0, slaTargetsMissed = 0, totalManualTime = 0 } = figures;
    const row = this.#rowOf(workflow);
    row.jobsComplete += jobsComplete;
    row.totalRunTime += totalRunTime;
    const sums = dayOf(row.metrics, this.#starts.of(day), noJobs);
    sums.jobsComplete += jobsComplete;
    sums.totalRunTime += totalRunTime;
    sums.slaTargetsMissed += slaTargetsMissed;
    sums.totalManualTime += totalManualTime;
  }

  all(): JobMetrics[] {
    return withFigures(this.#rows.values());
  }

  /** A workflow has the name it had last. */
  #rowOf(workflow: JobMetricDocument["workflow"]): JobMetrics {
    const row = this.#rows.get(workflow._id);
    if (row) return Object.assign(row, { workflow });
    const made = { _id: workflow._id, workflow, metrics: [], jobsComplete: 0, totalRunTime: 0 };
    this.#rows.set(workflow._id, made);
    return made;
  }
}

/** The rows that the figures of a task go to. */
interface RowPair {
  own: TaskMetrics;
  global: TaskMetrics;
}

/** Rows by task and workflow, and by task of all workflows together, made of documents in the order of their days. */
export class TaskRows {
  /** By workflow and key of the task. */
  readonly #pairs = new Map<string, Map<string, RowPair>>();
  readonly #globals = new Map<string, TaskMetrics>();
  readonly #starts = new DayStarts();

  add({ workflow, day, tasks }: TaskMetricDocument): void {
    const startDate = this.#starts.of(day);
    let pairs = this.#pairs.get(workflow._id);
    if (!pairs) this.#pairs.set(workflow._id, (pairs = new Map<string, RowPair>()));
    for (const [key, figures] of Object.entries(tasks)) {
      let pair = pairs.get(key);
      if (!pair) pairs.set(key, (pair = this.#pairOf(key, workflow)));
      pair.own.workflow = workflow;
      addFigures(dayOf(pair.own.metrics, startDate, noIterations), figures);
      addFigures(dayOf(pair.global.metrics, startDate, noIterations), figures);
    }
  }

  all(): TaskMetrics[] {
    const own = [...this.#pairs.values()].flatMap((pairs) => [...pairs.values()].map((pair) => pair.own));
    return withFigures([...this.#globals.values(), ...own]);
  }

  #pairOf(key: string, workflow: TaskMetricDocument["workflow"]): RowPair {
    const task = parseTaskKey(key);
    const id = globalId(task);
    let global = this.#globals.get(id);
    if (!global) this.#globals.set(id, (global = globalRow(task)));
    return { own: ownRow(task, workflow), global };
  }
}

function addFigures(sums: TaskDay, figures: TaskFigures): void {
  sums.totalSuccesses += figures.totalSuccesses ?? 0;
  sums.totalFailures += figures.totalFailures ?? 0;
  sums.totalErrors += figures.totalErrors ?? 0;
  sums.totalRunTime += figures.totalRunTime ?? 0;
}

function noJobs(startDate: number): JobDay {
  return { startDate, jobsComplete: 0, totalRunTime: 0, slaTargetsMissed: 0, totalManualTime: 0 };
}

function noIterations(startDate: number): TaskDay {
  return { startDate, totalSuccesses: 0, totalFailures: 0, totalErrors: 0, totalRunTime: 0 };
}

/** When days begin, worked out once for the documents of a day, which come one after the other. */
class DayStarts {
  #day = "";
  #start = 0;

  of(day: string): number {
    if (day === this.#day) return this.#start;
    this.#day = day;
    this.#start = startOfDay(day);
    return this.#start;
  }
}

/** The element of a day. The documents of a day come one after the other. */
function dayOf<Day extends { startDate: number }>(
  days: Day[],
  startDate: number,
  none: (startDate: number) => Day,
): Day {
  const last = days.at(-1);
  if (last?.startDate === startDate) return last;
  const made = none(startDate);
  days.push(made);
  return made;
}

/** Rows with the days on which there is anything to tell: a rebuild may have put sums back to nothing. */
function withFigures<Day extends JobDay | TaskDay, Row extends { metrics: Day[] }>(rows: Iterable<Row>): Row[] {
  const told: Row[] = [];
  for (const row of rows) {
    const metrics = row.metrics.filter(hasFigures);
    if (metrics.length > 0) told.push(metrics.length === row.metrics.length ? row : { ...row, metrics });
  }
  return told;
}

function hasFigures(day: JobDay | TaskDay): boolean {
  if (day.totalRunTime !== 0) return true;
  if ("jobsComplete" in day) return day.jobsComplete !== 0 || day.slaTargetsMissed !== 0 || day.totalManualTime !== 0;
  return day.totalSuccesses !== 0 || day.totalFailures !== 0 || day.totalErrors !== 0;
}

function ownRow({ taskId, taskType, name, app }: MeasuredTask, workflow: { _id: string; name: string }): TaskMetrics {
  return {
    _id: `${workflow._id}/${taskId}/${app}/${name}`,
    taskId,
    taskType,
    name,
    app,
    global: false,
    workflow,
    metrics: [],
  };
}

function globalRow(task: MeasuredTask): TaskMetrics {
  const { taskType, name, app } = task;
  return { _id: globalId(task), taskType, name, app, global: true, metrics: [] };
}

function globalId({ app, name }: MeasuredTask): string {
  return `${app}/${name}`;
}
