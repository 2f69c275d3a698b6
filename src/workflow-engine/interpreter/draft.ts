import type { Effort } from "../../core/heavy-work.ts";
import type { InputSize } from "../../core/input-size.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Task } from "../../core/task.ts";
import { applyChange } from "./apply-change.ts";
import type { Change } from "./changes.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import type { JobState, JobStatus } from "./job-state.ts";
import { slaDueAt } from "./sla.ts";
import { requireJobStep } from "./state-machines.ts";

/** What the interpreter may use: pure functions only. Clock, identifiers and randomness come in from outside. */
export interface Environment {
  /** A task of the engine's own library. */
  findTask(name: string, canvasName?: string): Task | undefined;
  /** Runs a transformation document; TaskError when it cannot. */
  transform(document: JsonObject, incoming: Record<string, unknown>, options: unknown): Record<string, unknown>;
  /** Identifier of a child job: always the same for the same origin. */
  childJobId(at: number, origin: string): string;
  random(): number;
  /** What everything that is computed on this event loop has cost: activations look at the difference. */
  readonly effort: Effort;
}

/** Topics of the engine's own events (workflow-engine.md §5, eventListenerJob). */
export const jobTopicNames = [
  "jobStart",
  "jobComplete",
  "jobError",
  "jobFix",
  "jobPause",
  "jobResume",
  "jobCancel",
  "jobSlaBreach",
] as const;
/** One of these topics. */
export type JobTopic = (typeof jobTopicNames)[number];

/** What must happen outside once the activation is durable. */
export type Effect =
  | { effect: "call"; task: string; iteration: number }
  | { effect: "timer"; task: string; iteration: number; dueAt: number }
  | { effect: "startChild"; task: string; iteration: number; index: number }
  | { effect: "cancelChild"; jobId: string }
  | { effect: "notifyParent"; status: "complete" | "canceled" | "error" }
  | { effect: "acquireLock"; task: string; iteration: number; key: string }
  | { effect: "releaseLock"; iteration: number; key: string }
  /** The task waits for its run window. */
  | { effect: "openWindow"; task: string; iteration: number; dueAt: number }
  /** The task waits for an event: those that are kept are looked through. */
  | { effect: "lookForEvents"; task: string; iteration: number }
  /** The job is to have ended by then; `endSla`: it has. */
  | { effect: "sla"; dueAt: number }
  | { effect: "endSla" }
  /** The activation stopped to let others run; go on at once. */
  | { effect: "proceed" }
  /** Work of this iteration is no longer wanted. */
  | { effect: "forget"; iteration: number }
  /** The groups of the job changed: its children get the same. */
  | { effect: "regroupChildren" }
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

// Measured: to check, record, write and follow a value takes some 0.2 microseconds, a character some two nanoseconds.
const elementsPerStep = 100;
const charactersPerStep = 10_000;

/** The activation handles values that hold this much. */
export function chargeFor({ environment }: Draft, { characters, elements }: InputSize): void {
  environment.effort.spent += elements / elementsPerStep + characters / charactersPerStep;
}

/** Records a change and applies it to the draft. */
export function record(draft: Draft, change: Change): void {
  draft.changes.push(change);
  applyChange(draft.state, change, draft.workflow);
}

/** Changes the job's status and tells watchers. */
export function changeStatus(draft: Draft, status: JobStatus, topic: JobTopic): void {
  const { state } = draft;
  requireJobStep(state.status, status);
  if (status === "complete" || status === "canceled") endSla(draft);
  // Whatever put it right, a job that was in error and runs is a repaired one.
  const isFix = state.status === "error" && status === "running" && topic !== "jobFix";
  record(draft, { change: "status", status, at: draft.at });
  draft.effects.push({ effect: "publish", topic });
  if (isFix) draft.effects.push({ effect: "publish", topic: "jobFix" });
}

/** The time that the workflow promises is over and the job has not ended. Told once. */
export function missSla(draft: Draft): void {
  if (draft.state.slaMissed) return;
  record(draft, { change: "slaMissed", at: draft.at });
  draft.effects.push({ effect: "publish", topic: "jobSlaBreach" });
}

/** The job ends: late, though nobody could tell so before, or in time. */
function endSla(draft: Draft): void {
  const dueAt = slaDueAt(draft.state, draft.workflow);
  if (dueAt === undefined || draft.state.slaMissed) return;
  if (draft.at > dueAt) missSla(draft);
  draft.effects.push({ effect: "endSla" });
}
