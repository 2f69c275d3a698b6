import { PlatformError } from "../../core/errors.ts";
import type { JobEventRow } from "../../store/store.ts";
import { isKnownChange } from "../interpreter/apply-change.ts";
import type { Delta } from "../interpreter/changes.ts";
import type { ChildJob, JobState, TaskState } from "../interpreter/job-state.ts";
import { countChildren } from "../interpreter/child-list.ts";
import { ChunkedList } from "../interpreter/chunked-list.ts";
import { freshTask } from "../interpreter/joins.ts";
import type { EncodedDocument } from "./large-value-encoder.ts";
import type { LargePart } from "./large-parts.ts";

/** An event of a job's log, parsed. */
export interface LoggedEvent {
  seq: number;
  at: number;
  delta: Delta;
}

/** The state of a task as it is written down. Children are counted anew when it is read. */
type TaskStateDocument = Partial<Omit<TaskState, "iterations" | "children" | "childCounts">> & {
  iterations?: readonly number[];
  children?: readonly ChildJob[];
};

/** A state as it is written down: what JSON cannot say is said in other words. */
export interface StateDocument extends Omit<JobState, "tasks" | "ready" | "owners"> {
  tasks: [string, TaskStateDocument][];
  ready: string[];
  /** Job variables that were assigned, but undefined, which JSON cannot say. */
  undefinedVariables: string[];
  variableOrder: string[];
  /** Absent in what the first releases wrote. */
  owners?: readonly string[];
}

/** What was read, and the large values that are to be put into it. */
export interface Parsed<T> {
  value: T;
  parts: readonly LargePart[];
}

type Text<T> = T & { large?: readonly LargePart[] };

/** The text of a delta or state document: the parts that were taken out are named in its last member, `large`. */
export function textOf({ text, parts }: EncodedDocument): string {
  return parts.length === 0 ? text : `${text.slice(0, -1)},"large":${JSON.stringify(parts)}}`;
}

const deltaMembers: Record<keyof Text<Delta>, true> = { cause: true, changes: true, large: true };

/** Parses an event. UNAVAILABLE when this release does not know all of it: a newer node can go on with the job. */
export function parseEvent(jobId: string, { seq, at, delta: text }: JobEventRow): Parsed<LoggedEvent> {
  const { large = [], ...delta } = JSON.parse(text) as Text<Delta>;
  if (!hasOnly(delta, deltaMembers) || !delta.changes.every(isKnownChange)) throw writtenByNewer(jobId);
  return { value: { seq, at, delta }, parts: large };
}

const stateMembers: Record<keyof Text<StateDocument>, true> = {
  origin: true,
  seq: true,
  status: true,
  description: true,
  variables: true,
  tasks: true,
  ready: true,
  errors: true,
  watchers: true,
  owners: true,
  groups: true,
  isDeleted: true,
  slaMissed: true,
  takenEvents: true,
  iterationCount: true,
  completions: true,
  compensation: true,
  startedAt: true,
  endedAt: true,
  changedAt: true,
  undefinedVariables: true,
  variableOrder: true,
  large: true,
};

/** Parses the text of a snapshot. UNAVAILABLE as for events. */
export function parseState(jobId: string, text: string): Parsed<StateDocument> {
  const { large = [], ...value } = JSON.parse(text) as Text<StateDocument>;
  if (!hasOnly(value, stateMembers)) throw writtenByNewer(jobId);
  return { value, parts: large };
}

/** A state in the form it is written down in. */
export function documentOfState(state: JobState): StateDocument {
  return {
    ...state,
    tasks: [...state.tasks].map(([taskId, task]) => [taskId, documentOfTask(task)]),
    ready: [...state.ready],
    undefinedVariables: Object.keys(state.variables).filter((name) => state.variables[name] === undefined),
    variableOrder: Object.keys(state.variables),
  };
}

/** The state that was written down. */
export function stateOfDocument(document: StateDocument): JobState {
  const { tasks, ready, undefinedVariables, variableOrder, ...rest } = document;
  const missing = new Set(undefinedVariables);
  const variables = Object.fromEntries(
    variableOrder.map((name) => [name, missing.has(name) ? undefined : rest.variables[name]]),
  );
  return {
    ...rest,
    owners: rest.owners ?? ownersNow(tasks),
    description: rest.description,
    completions: rest.completions,
    compensation: rest.compensation,
    endedAt: rest.endedAt,
    variables,
    tasks: new Map(tasks.map(([taskId, task]) => [taskId, taskOfDocument(task)])),
    ready: new Set(ready),
  };
}

function documentOfTask({ iterations, children, childCounts: _childCounts, ...task }: TaskState): TaskStateDocument {
  return { ...task, iterations: [...iterations], ...(children ? { children: [...children] } : {}) };
}

/** JSON leaves undefined members out; a task's state has all of them. */
function taskOfDocument({ iterations = [], children, ...task }: TaskStateDocument): TaskState {
  return {
    ...freshTask,
    ...task,
    iterations: ChunkedList.of(iterations),
    ...(children ? { children: ChunkedList.of(children), childCounts: countChildren(children) } : {}),
  };
}

/** Who owns tasks at the moment: as much as an older snapshot tells of who owned one. */
function ownersNow(tasks: StateDocument["tasks"]): string[] {
  return [...new Set(tasks.flatMap(([, { owner }]) => owner?.accountId ?? []))];
}

function hasOnly(document: object, members: object): boolean {
  return Object.keys(document).every((name) => Object.hasOwn(members, name));
}

function writtenByNewer(jobId: string): PlatformError {
  return new PlatformError("UNAVAILABLE", `The log of job ${jobId} was written by a newer release`);
}
