import type { Caller } from "../../core/caller.ts";
import { PlatformError } from "../../core/errors.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { JobEvent, Person } from "../interpreter/events.ts";
import { jobItself } from "../interpreter/repair-revert.ts";
import { findTaskId, type NamedTask } from "../interpreter/task-names.ts";
import { startTaskId } from "../workflow-schema.ts";
import { parseIterationId } from "./iteration-id.ts";
import { documentOf, type JobService, type JobView } from "./job-service.ts";
import { personOf } from "./manual-task-service.ts";

/** What may be asked of a job as a whole (workflow-engine.md §7.1). Tasks are named by id, iteration, name or summary. */
export type JobCommand =
  | { event: "pause" | "resume" }
  | { event: "cancel"; force?: boolean | undefined }
  | { event: "fix"; from: NamedTask; to: NamedTask }
  /** Without `to`: from the start. */
  | { event: "revert"; from?: NamedTask | undefined; to?: NamedTask | undefined }
  | { event: "continue"; fromTask?: NamedTask | undefined }
  | { event: "retry"; task: NamedTask; variables?: Record<string, unknown> | undefined };

/** Who asks, and whether only to be told what would happen. */
export interface Asking {
  caller: Caller;
  dryRun?: boolean | undefined;
}

/** Carries out the command and answers the job document; on a dry run nothing is written and a preview is answered. */
export async function runCommand(
  jobs: JobService,
  jobId: string,
  command: JobCommand,
  { caller, dryRun = false }: Asking,
): Promise<object> {
  const event = await eventOf(jobs, jobId, command, caller);
  return dryRun ? jobs.preview(jobId, event, caller) : documentOf(await jobs.apply(jobId, event, caller));
}

type PlainCommand = Extract<JobCommand, { event: "pause" | "resume" | "cancel" }>;

/** Names the command no task? */
function isPlain(command: JobCommand): command is PlainCommand {
  return command.event === "pause" || command.event === "resume" || command.event === "cancel";
}

function plainEvent(command: PlainCommand, by: Person): JobEvent {
  if (command.event !== "cancel") return { event: command.event, by };
  return { event: "cancel", by, ...(command.force ? { force: true } : {}) };
}

async function eventOf(jobs: JobService, jobId: string, command: JobCommand, caller: Caller): Promise<JobEvent> {
  const by = personOf(caller);
  if (isPlain(command)) return plainEvent(command, by);
  const view = await jobs.view(jobId, caller);
  const find = (task: NamedTask): string => taskIn(view, task);
  switch (command.event) {
    case "fix":
      return { event: "fix", from: erroredIn(view, command.from), to: find(command.to), by };
    case "revert": {
      const to = command.to ? find(command.to) : startTaskId;
      return { event: "revert", ...(command.from ? { from: find(command.from) } : {}), to, by };
    }
    case "continue":
      return { event: "continue", ...(command.fromTask ? { fromTask: find(command.fromTask) } : {}), by };
    case "retry": {
      const { variables = {} } = command;
      return { event: "retry", task: find(command.task), variables, by };
    }
  }
}

/** A job that is stuck names itself as what is in error. */
function erroredIn(view: JobView, task: NamedTask): string {
  return task.named === jobItself && !isTask(view.workflow, jobItself) ? jobItself : taskIn(view, task);
}

function isTask(workflow: CompiledWorkflow, taskId: string): boolean {
  return workflow.task(taskId) !== undefined;
}

function taskIn({ state, workflow }: JobView, task: NamedTask): string {
  const known = parseIterationId(task.named);
  if (!known) return findTaskId(workflow, task);
  const isOfJob = known.jobId === state.origin._id;
  const found = isOfJob && [...state.tasks].find(([, { iteration }]) => iteration === known.iteration);
  if (found) return found[0];
  throw new PlatformError("NOT_FOUND", `${task.named} is not the latest iteration of a task of the job`, [
    { path: task.place, message: "names no latest iteration" },
  ]);
}
