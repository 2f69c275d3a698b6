import { isJsonObject } from "../../core/json.ts";
import { TaskError } from "../../core/task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import type { Draft } from "./draft.ts";
import { eventFilter, type EventFilter } from "./event-filter.ts";
import type { AnyWait, JobState, TimedResult, TimerTime, Wait } from "./job-state.ts";
import { resolveValue } from "./references.ts";
import { readWaitAny, type WaitAnyOption } from "./wait-any-option.ts";

/** When a wait is over by itself, and how its task ends then. */
export interface WaitTimer extends TimerTime {
  then: TimedResult | "retry";
}

/** The timer of a wait, if it has one. */
export function timerOf(wait: Wait | undefined): WaitTimer | undefined {
  if (wait?.for === "timer") return wait;
  return wait?.for === "any" ? wait.timer : undefined;
}

/** The event a wait is for, if it is for one. */
export function eventOf(wait: Wait | undefined): EventFilter | undefined {
  if (wait?.for === "event") return wait.event;
  return wait?.for === "any" ? wait.event : undefined;
}

/** May a person end the wait? */
export function isForPerson(wait: Wait | undefined): boolean {
  return wait?.for === "person" || (wait?.for === "any" && wait.isForPerson);
}

/**
 * The wait of a task with `waitAny` (control-flow-patterns.md, pattern 16): what the task itself waits for,
 * or what the field adds, whichever comes first. Tasks that wait for anything else know no such field.
 */
export function withOthers(draft: Draft, task: WorkflowTask, wait: Wait): Wait {
  const option = readWaitAny(task);
  if (!option || !isExtendable(wait)) return wait;
  const timer = earlierTimer(ownTimer(wait), addedTimer(draft, option));
  const event = eventOf(wait) ?? addedEvent(draft, option);
  const any: AnyWait = { for: "any", isForPerson: wait.for === "person" || option.person === true };
  if (timer) any.timer = timer;
  if (event) any.event = event;
  return any;
}

function isExtendable(wait: Wait): boolean {
  return wait.for === "person" || wait.for === "timer" || wait.for === "event";
}

function ownTimer(wait: Wait): AnyWait["timer"] {
  if (wait.for !== "timer" || wait.then === "retry") return undefined;
  const { dueAt, then } = wait;
  return { dueAt, then: { ...then, outgoing: { ...then.outgoing, winner: "timer" } } };
}

function addedTimer({ state, at }: Draft, { afterSeconds, afterState = "failure" }: WaitAnyOption): AnyWait["timer"] {
  if (afterSeconds === undefined) return undefined;
  const value = resolveValue(state, afterSeconds);
  const seconds = value === "" || value === null ? Number.NaN : Number(value);
  if (!Number.isFinite(seconds) || seconds < 0) {
    throw new TaskError(`waitAny.afterSeconds needs a number of seconds, got ${JSON.stringify(value)}`);
  }
  const error = afterState === "error" ? { error: { message: `Nothing came within ${seconds} seconds` } } : {};
  return { dueAt: at + seconds * 1_000, then: { finishState: afterState, outgoing: { winner: "timer" }, ...error } };
}

function earlierTimer(one: AnyWait["timer"], other: AnyWait["timer"]): AnyWait["timer"] {
  if (!one || !other) return one ?? other;
  return other.dueAt < one.dueAt ? other : one;
}

function addedEvent(draft: Draft, { event }: WaitAnyOption): EventFilter | undefined {
  if (!event) return undefined;
  const { state, at } = draft;
  const choice = {
    source: resolveValue(state, event.source),
    topic: resolveValue(state, event.topic),
    schema: resolveValue(state, event.schema),
  };
  return eventFilter(choice, { at, seq: nextSeq(state), lookBackSeconds: 0 });
}

/** The event of the log that is being made. */
export function nextSeq({ seq }: JobState): number {
  return seq + 1;
}

/** Seconds that a listener looks back (task field `events.keepFor`); 0 where it does not. */
export function lookBackSeconds(task: WorkflowTask): number {
  const { events } = task as { events?: unknown };
  const keepFor = isJsonObject(events) ? events["keepFor"] : undefined;
  return typeof keepFor === "number" && keepFor > 0 ? keepFor : 0;
}
