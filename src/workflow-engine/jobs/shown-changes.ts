import type { Change } from "../interpreter/changes.ts";
import { iterationId } from "./iteration-id.ts";
import type { LoggedEvent } from "./log-format.ts";

/** One event of a job's history, in the words of job and task documents (workflow-engine.md §6). */
export interface HistoryEntry {
  /** Its number in the log, from 1. */
  seq: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** What brought it about, and the username of who asked for it. */
  cause: { event: string; by?: string };
  /** `change` says what happened; further members are named as in job and task documents. */
  changes: Record<string, unknown>[];
}

/** Numbers of the iterations that the tasks of a job are in, by task id. */
export type CurrentIterations = Map<string, number>;

/** Takes note of the iterations that begin in an event. */
export function followIterations(current: CurrentIterations, { delta }: LoggedEvent): void {
  for (const change of delta.changes) {
    if ("task" in change && "iteration" in change && change.iteration > 0) current.set(change.task, change.iteration);
  }
}

/** An event as history shows it. `current`: the iterations before it; brought up to date. */
export function shownEvent(jobId: string, event: LoggedEvent, current: CurrentIterations): HistoryEntry {
  const { seq, at, delta } = event;
  const changes = delta.changes.map((change) => {
    followIterations(current, { ...event, delta: { ...delta, changes: [change] } });
    return shownChange(jobId, change, current);
  });
  return { seq, at, cause: delta.cause, changes };
}

function shownChange(jobId: string, change: Change, current: CurrentIterations): Record<string, unknown> {
  const status = statusAfter(change);
  const number = "task" in change ? current.get(change.task) : undefined;
  return {
    ...shownMembers(change),
    ...(number === undefined ? {} : { iteration: iterationId(jobId, number) }),
    ...(status === undefined ? {} : { status }),
  };
}

function shownMembers(change: Change): Record<string, unknown> {
  if (change.change === "created") return shownCreation(change);
  if (change.change === "finished") {
    const { state, isSettled: _isSettled, ...members } = change;
    return { ...members, finish_state: state };
  }
  // Numbers of iterations are shown as the identifiers they stand for.
  const { iteration: _iteration, ...members } = change as Change & { iteration?: number };
  return members;
}

function shownCreation({ change, at, origin }: Extract<Change, { change: "created" }>): Record<string, unknown> {
  const { name, workflowId, description, variables, initiator, groups, parent, mocks } = origin;
  return {
    change,
    at,
    name,
    workflow_id: workflowId,
    ...(description === undefined ? {} : { description }),
    variables,
    initiator: initiator.username,
    groups,
    ...(parent ? { parent } : {}),
    ...(mocks ? { mocked: Object.keys(mocks) } : {}),
  };
}

/** The status that a task, or the job, has by the change. */
function statusAfter(change: Change): string | undefined {
  switch (change.change) {
    case "created":
    case "started":
    case "waiting":
      return "running";
    case "finished":
      return change.state === "error" ? "error" : "complete";
    case "requeued":
    case "reverted":
      return "incomplete";
    case "childEnded":
    case "status":
      return change.status;
    default:
      return undefined;
  }
}
