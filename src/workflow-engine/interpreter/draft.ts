import type { JsonObject } from "../../core/json.ts";
import type { Task } from "../../core/task.ts";
import { applyChange } from "./apply-change.ts";
import type { Change } from "./changes.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import type { JobState, JobStatus } from "./job-state.ts";

/** What the interpreter may use: pure functions only. Clock, identifiers and randomness come in from outside. */
export interface Environment {
  /** A task of the engine's own library. */
  findTask(name: string, canvasName?: string): Task | undefined;
  /** Runs a transformation document; TaskError when it cannot. */
  transform(document: JsonObject, incoming: Record<string, unknown>, options: unknown): Record<string, unknown>;
  /** Identifier of a child job: always the same for the same origin. */
  childJobId(at: number, origin: string): string;
  random(): number;
}

/** Topics of the engine's own events (workflow-engine.md §5, eventListenerJob). */
export type JobTopic = "jobStart" | "jobComplete" | "jobError" | "jobPause" | "jobResume" | "jobCancel";

/** What must happen outside once the activation is durable. */
export type Effect =
  | { effect: "call"; task: string; iteration: number }
  | { effect: "timer"; task: string; iteration: number; dueAt: number }
  | { effect: "startChild"; task: string; iteration: number; index: number }
  | { effect: "cancelChild"; jobId: string }
  | { effect: "notifyParent"; status: "complete" | "canceled" }
  /** The activation stopped to let others run; go on at once. */
  | { effect: "proceed" }
  /** Work of this iteration is no longer wanted. */
  | { effect: "forget"; iteration: number }
  | { effect: "publish"; topic: JobTopic };

/** An activation under way: a draft of the state, and what has been recorded so far. */
export interface Draft {
  state: JobState;
  workflow: CompiledWorkflow;
  environment: Environment;
  /** Time of the activation, milliseconds since the epoch. */
  at: number;
  changes: Change[];
  effects: Effect[];
}

/** Records a change and applies it to the draft. */
export function record(draft: Draft, change: Change): void {
  draft.changes.push(change);
  applyChange(draft.state, change, draft.workflow);
}

/** Changes the job's status and tells watchers. */
export function changeStatus(draft: Draft, status: JobStatus, topic: JobTopic): void {
  record(draft, { change: "status", status, at: draft.at });
  draft.effects.push({ effect: "publish", topic });
}
