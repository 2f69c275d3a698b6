/** Figures of the jobs of one workflow on one day. Times in milliseconds. A member that is missing is 0. */
export interface JobFigures {
  jobsComplete?: number;
  /** From start to end of the completed jobs. */
  totalRunTime?: number;
  /** Jobs that did not end within the `sla` of their workflow. */
  slaTargetsMissed?: number;
  /** From start to end of the manual tasks that ended. */
  totalManualTime?: number;
}

/** Figures of one task on one day, by the state its iterations finished in. Times in milliseconds. A member that is missing is 0. */
export interface TaskFigures {
  totalSuccesses?: number;
  totalFailures?: number;
  totalErrors?: number;
  totalRunTime?: number;
}

interface MetricDocument {
  _id: string;
  workflow: { _id: string; name: string };
  /** Day of the world clock (UTC) on which jobs and iterations ended, as `2026-11-21`. */
  day: string;
}

/** A document of `job_metrics`: what one slot adds up for a workflow and a day. */
export type JobMetricDocument = MetricDocument & JobFigures;

/** A document of `task_metrics`: the same for some of the workflow's tasks. */
export interface TaskMetricDocument extends MetricDocument {
  /** By `taskKey`. */
  tasks: Record<string, TaskFigures>;
}

export const jobMetricCollection = "job_metrics";
export const taskMetricCollection = "task_metrics";

/** What tells a task apart from others: also what is said of it. */
export interface MeasuredTask {
  taskId: string;
  app: string;
  name: string;
  taskType: string;
}

/** The name of a task's figures. It says all there is to say, so that additions come to the same in any order. */
export function taskKey({ taskId, app, name, taskType }: MeasuredTask): string {
  return JSON.stringify([taskId, app, name, taskType]);
}

/** The task that a key names. */
export function parseTaskKey(key: string): MeasuredTask {
  const [taskId = "", app = "", name = "", taskType = ""] = JSON.parse(key) as string[];
  return { taskId, app, name, taskType };
}

/** The day of a moment, milliseconds since the epoch. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** When a day begins, milliseconds since the epoch. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** Identifiers of documents begin with the day, so that a span of days is a range of them. */
export function metricId(day: string, ...parts: readonly string[]): string {
  return [day, ...parts].join("|");
}
