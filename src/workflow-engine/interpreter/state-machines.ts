import { conflict } from "../../core/errors.ts";
import type { JobStatus, TaskStatus } from "./job-state.ts";

/*
 * The state machines of jobs and tasks, said once (workflow-engine.md §7): the commands judge by these
 * tables, and the page docs/explanations/states.md is compared with them.
 */

/** What may be asked of a job. `claim`, `assign`, `release` and `finish` are asked of one of its manual tasks. */
export type JobOperation =
  | "pause"
  | "resume"
  | "cancel"
  | "fix"
  | "revert"
  | "continue"
  | "retry"
  | "claim"
  | "assign"
  | "release"
  | "finish";

interface OperationRule {
  /** Completes the sentence "Job is … and cannot …". */
  phrase: string;
  /** By status of the job: the statuses it may have right afterwards. A status that is not listed forbids the operation. */
  leads: Readonly<Partial<Record<JobStatus, readonly JobStatus[]>>>;
}

/** The same from every status of a job that has not ended. */
function ends(...statuses: readonly JobStatus[]): OperationRule["leads"] {
  return { running: statuses, paused: statuses, error: statuses };
}

/** Operations by status of the job (workflow-engine.md §7.1). A job that is canceled first undoes what can be undone, and runs meanwhile. */
export const jobOperations: Readonly<Record<JobOperation, OperationRule>> = {
  pause: { phrase: "be paused", leads: { running: ["paused"] } },
  resume: { phrase: "be resumed", leads: { paused: ["running"], error: ["running"] } },
  cancel: { phrase: "be canceled", leads: ends("canceled", "running") },
  fix: { phrase: "be fixed", leads: { error: ["running"] } },
  revert: { phrase: "be reverted", leads: { running: ["running"], paused: ["paused"], error: ["running"] } },
  continue: { phrase: "be continued", leads: { running: ["running"], paused: ["paused"], error: ["running"] } },
  retry: { phrase: "have a task retried", leads: { running: ["running"], error: ["running", "error"] } },
  claim: { phrase: "have a task claimed", leads: { running: ["running"], paused: ["paused"], error: ["error"] } },
  assign: { phrase: "have a task assigned", leads: { running: ["running"], paused: ["paused"], error: ["error"] } },
  release: { phrase: "have a task released", leads: { running: ["running"], paused: ["paused"], error: ["error"] } },
  finish: { phrase: "have a task finished", leads: { running: ["running"], error: ["error"] } },
};

/** A way from one status to another, and what leads along it. */
export interface StatusStep<Status> {
  from: Status;
  to: Status;
  by: string;
}

/** Where a job goes by itself. */
const ownJobSteps: readonly StatusStep<JobStatus>[] = [
  { from: "running", to: "complete", by: "end" },
  { from: "running", to: "error", by: "failure" },
  // What ran when the job was paused may fail.
  { from: "paused", to: "error", by: "failure" },
];

/** All ways from one status of a job to another. */
export const jobSteps: readonly StatusStep<JobStatus>[] = [...ownJobSteps, ...operationSteps()].filter(
  ({ from, to }) => from !== to,
);

function operationSteps(): StatusStep<JobStatus>[] {
  return Object.entries(jobOperations).flatMap(([by, { leads }]) =>
    Object.entries(leads).flatMap(([from, ends]) => ends.map((to) => ({ from: from as JobStatus, to, by }))),
  );
}

/**
 * All ways from one status of a task to another (workflow-engine.md §7.2). `loop`: its forEach goes on to the
 * next element. `lock`: its turn came while the job was held, so it asks again. A task that undoes others
 * starts anew each time.
 */
export const taskSteps: readonly StatusStep<TaskStatus>[] = [
  { from: "incomplete", to: "running", by: "start" },
  { from: "incomplete", to: "scheduled", by: "start" },
  { from: "scheduled", to: "running", by: "start" },
  { from: "complete", to: "running", by: "start" },
  { from: "running", to: "complete", by: "finish" },
  { from: "running", to: "error", by: "finish" },
  { from: "scheduled", to: "error", by: "finish" },
  { from: "complete", to: "running", by: "retrySettings" },
  { from: "error", to: "running", by: "retrySettings" },
  { from: "running", to: "incomplete", by: "retrySettings" },
  { from: "scheduled", to: "incomplete", by: "lock" },
  { from: "scheduled", to: "incomplete", by: "revert" },
  { from: "running", to: "incomplete", by: "revert" },
  { from: "complete", to: "incomplete", by: "revert" },
  { from: "complete", to: "incomplete", by: "loop" },
  { from: "error", to: "incomplete", by: "revert" },
  { from: "error", to: "incomplete", by: "loop" },
  { from: "canceled", to: "incomplete", by: "revert" },
  { from: "canceled", to: "incomplete", by: "loop" },
  { from: "error", to: "incomplete", by: "resume" },
  { from: "error", to: "incomplete", by: "retry" },
  { from: "incomplete", to: "canceled", by: "cancel" },
  { from: "scheduled", to: "canceled", by: "cancel" },
  { from: "running", to: "canceled", by: "cancel" },
  { from: "error", to: "canceled", by: "cancel" },
];

/** CONFLICT when a job in this status does not allow the operation. */
export function requireOperation(status: JobStatus, operation: JobOperation): void {
  const { phrase, leads } = jobOperations[operation];
  if (!Object.hasOwn(leads, status)) throw conflict(`Job is ${status} and cannot ${phrase}`);
}

/** Stops a status that no way leads to: that would be a mistake of ours. */
export function requireJobStep(from: JobStatus, to: JobStatus): void {
  if (!jobSteps.some((step) => step.from === from && step.to === to))
    throw new Error(`no job goes from ${from} to ${to}`);
}
