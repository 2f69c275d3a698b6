import type { Caller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import type { JsonObject } from "../../core/json.ts";
import { largestParsed } from "../../core/result-size.ts";
import { TaskError, type TaskResult } from "../../core/task.ts";
import {
  chooseTransformation,
  readCandidates,
  transformationReferenceOf,
} from "../../transformations/find-transformation.ts";
import type { Wait } from "../interpreter/job-state.ts";
import {
  beginTrial,
  continueTrial,
  outcomeOf,
  triedTask,
  triedTaskId,
  type Trial,
  type TrialOutcome,
  type TrialRequest,
} from "../interpreter/trial.ts";
import { performCall, type CallServices } from "./perform-call.ts";
import { tryChildren, type ExpectedChildren } from "./trial-children.ts";
import type { TaskCall } from "./task-calls.ts";
import type { WorkflowSnapshots } from "./workflow-snapshots.ts";

export interface TrialServices extends CallServices {
  snapshots: WorkflowSnapshots;
  clock: Clock;
  identifiers: Identifiers;
}

/** What a job would wait for at the task. */
export type TrialWait =
  | { for: "timer"; seconds: number }
  | { for: "event"; source: string; topic: string; schema?: JsonObject }
  | { for: "loop"; elements: number }
  | ExpectedChildren;

/** What a trial answers. */
export interface TrialResult extends TrialOutcome {
  waitsFor?: TrialWait;
  /** Milliseconds. */
  duration_ms: number;
}

/** Tries tasks: nothing is written, no job is made. */
export interface TaskTrials {
  /** PlatformError BAD_REQUEST for arguments that the task does not take. Calls that leave the engine are really made. */
  run(request: TrialRequest, caller: Caller): Promise<TrialResult>;
}

/** Trials of the tasks of the engine, on the way that they go in jobs. */
export function createTaskTrials(services: TrialServices): TaskTrials {
  const { environment, clock, identifiers } = services;
  return {
    async run(request, caller) {
      const { accountId, username } = caller;
      const at = clock.now();
      const begun = beginTrial(request, {
        environment,
        at,
        origin: { _id: identifiers.documentId(), initiator: { accountId, username } },
        transformations: await transformationsOf(services, request),
      });
      const { trial, waitsFor } = await follow(services, begun, caller);
      const duration = clock.now() - at;
      return { ...outcomeOf(trial), ...(waitsFor === undefined ? {} : { waitsFor }), duration_ms: duration };
    },
  };
}

/** The transformation that the task names, as the snapshot of a job would hold it. */
async function transformationsOf({ store }: TrialServices, { task, incoming }: TrialRequest) {
  const reference = transformationReferenceOf({ name: task.name, variables: { incoming } });
  if (!reference) return {};
  const chosen = chooseTransformation(reference, await readCandidates(store, [reference]));
  const stored = chosen && (await store.read<JsonObject>("transformations", chosen._id));
  return stored ? { [reference.id]: stored.document } : {};
}

interface Followed {
  trial: Trial;
  waitsFor?: TrialWait;
}

/** Goes on with what needs nobody: a call is made, a timer rings at once. */
async function follow(services: TrialServices, trial: Trial, caller: Caller): Promise<Followed> {
  const { clock, environment } = services;
  const { wait, iteration, incoming = {} } = triedTask(trial);
  const place = { task: triedTaskId, iteration };
  if (wait?.for === "call") {
    const result = await callTried(services, trial, caller.accountId);
    return { trial: continueTrial(trial, { event: "taskResult", ...place, result }, environment, clock.now()) };
  }
  if (wait?.for === "timer") {
    const rung = continueTrial(trial, { event: "timerDue", ...place }, environment, wait.dueAt);
    return { trial: rung, waitsFor: { for: "timer", seconds: (wait.dueAt - trial.state.startedAt) / 1_000 } };
  }
  if (wait?.for === "children") return tryChildren(services, trial, caller);
  const waitsFor = wait && endlessWait(wait, incoming);
  return waitsFor ? { trial, waitsFor } : { trial };
}

/** A wait that a trial cannot end. */
function endlessWait(wait: Wait, incoming: Record<string, unknown>): TrialWait | undefined {
  if (wait.for === "body") return { for: "loop", elements: (incoming["data_array"] as unknown[]).length };
  if (wait.for !== "event") return undefined;
  const { source, topic, schema } = wait.event;
  return { for: "event", source, topic, ...(schema === undefined ? {} : { schema }) };
}

async function callTried(services: TrialServices, trial: Trial, key: string): Promise<TaskResult> {
  const { state, workflow } = trial;
  const task = workflow.task(triedTaskId);
  if (!task) throw new Error("a trial has lost its task");
  const { incoming = {}, iteration } = triedTask(trial);
  return performCall(services, { state, workflow, task, iteration, incoming, key, keep: refuseToKeep });
}

/** A job would keep the answer in the store. */
const refuseToKeep: TaskCall["keep"] = () =>
  Promise.reject(new TaskError(`The answer has more than ${largestParsed} bytes, which a trial cannot show`));
