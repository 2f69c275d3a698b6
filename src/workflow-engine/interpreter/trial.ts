import type { JsonObject } from "../../core/json.ts";
import type { FinishState, Task } from "../../core/task.ts";
import { invalidRequest } from "../../core/validation/validator.ts";
import {
  endTaskId,
  startTaskId,
  type Transition,
  type WorkflowDocument,
  type WorkflowTask,
} from "../workflow-schema.ts";
import { advance, createJob, type Activation } from "./advance.ts";
import { createState } from "./apply-change.ts";
import type { Change } from "./changes.ts";
import { compileWorkflow, type CompiledWorkflow } from "./compiled-workflow.ts";
import { choicesOf, isDecision } from "./decisions.ts";
import type { Environment } from "./draft.ts";
import type { JobEvent } from "./events.ts";
import { taskState, type JobOrigin, type JobState, type TaskState } from "./job-state.ts";
import { resolveIncoming } from "./references.ts";
import { trialArgumentProblems } from "./trial-arguments.ts";

/*
 * Trying a task: a job of one task, of which nothing is written. The task goes the way it goes in every job, so that
 * what a trial tells is what happens.
 */

/** Id of the tried task. Tasks of workflows have hexadecimal ids, so that nothing refers to it. */
export const triedTaskId = "tried";

/** What is tried. */
export interface TrialRequest {
  task: Task;
  /** As a workflow holds them, references to job variables included. */
  incoming: Record<string, unknown>;
  /** Job variables before the task. */
  variables: Record<string, unknown>;
}

/** A trial under way: the job, and what happened to it. */
export interface Trial {
  workflow: CompiledWorkflow;
  state: JobState;
  changes: readonly Change[];
}

/** What a trial runs in. `at`: milliseconds since the epoch. */
export interface TrialSurroundings {
  environment: Environment;
  at: number;
  origin: Omit<JobOrigin, "snapshot" | "workflowId" | "name" | "variables" | "groups" | "ancestors">;
  /** By the identifier that the task refers to. */
  transformations: Readonly<Record<string, JsonObject>>;
}

/** Starts a trial. PlatformError BAD_REQUEST that names every argument that is missing, unknown or of a wrong type. */
export function beginTrial(request: TrialRequest, surroundings: TrialSurroundings): Trial {
  const { task: model, incoming, variables } = request;
  const { environment, at, transformations } = surroundings;
  const name = `Trial of ${model.name}`;
  const origin = { ...surroundings.origin, snapshot: "", workflowId: "", name, variables, groups: [], ancestors: [] };
  const task = taskOf(model, incoming);
  const alone = compileWorkflow({ workflow: { name, tasks: {}, transitions: {} }, transformations: {} });
  const resolved = resolveIncoming(createState(origin, at, alone), task);
  const problems = trialArgumentProblems(model, task, resolved);
  if (problems.length > 0) throw invalidRequest(problems);
  const workflow = compileWorkflow({ workflow: trialWorkflow(name, task, resolved), transformations });
  return trialOf(workflow, [], createJob(origin, { workflow, environment, at }));
}

/** The same trial after an event. */
export function continueTrial(trial: Trial, event: JobEvent, environment: Environment, at: number): Trial {
  const { workflow, state, changes } = trial;
  return trialOf(workflow, changes, advance(state, event, { workflow, environment, at }));
}

function trialOf(workflow: CompiledWorkflow, before: readonly Change[], { state, delta }: Activation): Trial {
  return { workflow, state, changes: [...before, ...delta.changes] };
}

/** The task that is tried, as it is now. */
export function triedTask({ state }: Trial): TaskState {
  return taskState(state, triedTaskId);
}

function taskOf({ name, app, type }: Task, incoming: Record<string, unknown>): WorkflowTask {
  return { name, app, location: "Application", type, actor: "job", variables: { incoming, outgoing: {} } };
}

/** Nobody works what follows, so that the job stays where the task has brought it. */
const follower: WorkflowTask = { name: "ViewData", app: "WorkFlowEngine", type: "manual" };

/** The task, and something behind each of its ends: no end is one of the job. */
function trialWorkflow(name: string, task: WorkflowTask, resolved: Record<string, unknown>): WorkflowDocument {
  const ends: FinishState[] = ["failure", "error", ...(task.name === "forEach" ? (["loop"] as const) : [])];
  const chosen = isDecision(task) ? nextTasks(task, resolved) : ["after success"];
  const transitions = Object.fromEntries([
    ...ends.map((state): [string, Transition] => [`after ${state}`, { state, type: "standard" }]),
    ...chosen.map((next): [string, Transition] => [next, { state: "success", type: "standard" }]),
  ]);
  return {
    name,
    tasks: {
      ...Object.fromEntries(Object.keys(transitions).map((id) => [id, follower])),
      [startTaskId]: { name: startTaskId },
      [triedTaskId]: task,
      [endTaskId]: { name: endTaskId },
    },
    transitions: {
      [startTaskId]: { [triedTaskId]: { state: "success", type: "standard" } },
      [triedTaskId]: transitions,
    },
  };
}

/** Where a decision may lead. */
function nextTasks(task: WorkflowTask, resolved: Record<string, unknown>): string[] {
  const choices = choicesOf({ ...task, variables: { incoming: resolved } }) ?? [];
  return choices.flatMap(({ next }) =>
    next === undefined || next === startTaskId || next === triedTaskId ? [] : [next],
  );
}

/** What a trial has come to. */
export interface TrialOutcome {
  /** Null: the task waits, and what it waits for decides. */
  finish_state: FinishState | null;
  outgoing: Record<string, unknown>;
  error?: unknown;
  /** Job variables that the task writes, with their values then. */
  variables?: Record<string, unknown>;
  /** The arguments with every reference replaced. */
  incoming: Record<string, unknown>;
}

/** What the task has come to by now. */
export function outcomeOf(trial: Trial): TrialOutcome {
  const { status, wait, finishState, outgoing = {}, error, incoming = {} } = triedTask(trial);
  const isOver = status === "complete" || status === "error";
  const written = trial.changes.flatMap((change) => (change.change === "variable" ? [change.name] : []));
  const { variables } = trial.state;
  return {
    finish_state: isOver ? (finishState ?? null) : wait?.for === "body" ? "loop" : null,
    outgoing,
    ...(error === undefined ? {} : { error }),
    ...(written.length === 0 ? {} : { variables: Object.fromEntries(written.map((one) => [one, variables[one]])) }),
    incoming,
  };
}
