import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import type { Delta } from "../interpreter/changes.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import { jobTopicNames, type JobTopic } from "../interpreter/draft.ts";
import type { JobState, JobStatus, TaskState } from "../interpreter/job-state.ts";
import { jobPayloadHeader } from "./engine-events.ts";
import { iterationId } from "./iteration-id.ts";
import { shownOwner } from "./task-document.ts";

/** What a stream can be asked for: events of jobs, and what becomes of their tasks. */
export const streamTopics: readonly StreamTopic[] = [...jobTopicNames, "task"];
export type StreamTopic = JobTopic | "task";

/** One thing that happened to a job, as streams tell it. */
export interface StreamNotice {
  /** `<job>.<seq>`: all that one event of the log leads to has the same. */
  id: string;
  topic: StreamTopic;
  job: string;
  /** Groups of the job: who may see it. */
  groups: readonly string[];
  /** The task it is about. */
  task?: WorkflowTask | undefined;
  /** JSON text. */
  data: string;
}

/** An event of a job's log with the states around it. */
export interface ToldStep {
  /** Undefined: the job was created. */
  before: JobState | undefined;
  state: JobState;
  delta: Delta;
  workflow: CompiledWorkflow;
}

/** What an event of a log says to those who follow the job: its own changes first, then those of its tasks. */
export function noticesOf(step: ToldStep): StreamNotice[] {
  const { before, state, delta, workflow } = step;
  if (state.isDeleted) return [];
  const { origin, groups, changedAt: at } = state;
  const known = { id: `${origin._id}.${state.seq}`, job: origin._id, groups };
  const job = { _id: origin._id, name: origin.name, status: state.status };
  const ofJob = jobTopics(before?.status, delta).map((topic): StreamNotice => ({
    ...known,
    topic,
    data: JSON.stringify({ at, job: jobPayloadHeader(state) }),
  }));
  const ofTasks = [...state.tasks].flatMap(([taskId, task]): StreamNotice[] => {
    if (!isTold(taskId, before?.tasks.get(taskId), task)) return [];
    const definition = workflow.task(taskId);
    const data = JSON.stringify({ at, job, task: shownTask(state, taskId, { task, definition }) });
    return [{ ...known, topic: "task", task: definition, data }];
  });
  return [...ofJob, ...ofTasks];
}

/** Topics of the engine's events that this event of the log stands for. */
export function jobTopics(before: JobStatus | undefined, { cause, changes }: Delta): JobTopic[] {
  const topics: JobTopic[] = [];
  let status = before;
  for (const change of changes) {
    if (change.change === "created") topics.push("jobStart");
    if (change.change === "slaMissed") topics.push("jobSlaBreach");
    if (change.change !== "status") continue;
    topics.push(...topicsOf(status, change.status, cause.event));
    ({ status } = change);
  }
  return topics;
}

function topicsOf(from: JobStatus | undefined, to: JobStatus, event: string): JobTopic[] {
  if (to !== "running") return [endTopics[to]];
  // A job that is taken back runs for that alone.
  if (event === "cancel") return [];
  const isResumed = from === "paused" || event === "resume";
  return [...(isResumed ? (["jobResume"] as const) : []), ...(from === "error" ? (["jobFix"] as const) : [])];
}

const endTopics: Readonly<Record<Exclude<JobStatus, "running">, JobTopic>> = {
  paused: "jobPause",
  error: "jobError",
  complete: "jobComplete",
  canceled: "jobCancel",
};

function isTold(taskId: string, before: TaskState | undefined, after: TaskState): boolean {
  if (before === after || after.iteration === 0 || taskId === startTaskId || taskId === endTaskId) return false;
  return (
    before?.status !== after.status ||
    before.iteration !== after.iteration ||
    before.finishState !== after.finishState ||
    before.owner !== after.owner
  );
}

function shownTask(
  { origin }: JobState,
  taskId: string,
  { task, definition }: { task: TaskState; definition: WorkflowTask | undefined },
): object {
  return {
    _id: iterationId(origin._id, task.iteration),
    taskId,
    name: definition?.name,
    summary: definition?.summary,
    type: definition?.type,
    status: task.status,
    owner: shownOwner(task, definition?.type),
    ...(task.finishState === undefined ? {} : { finish_state: task.finishState }),
  };
}
