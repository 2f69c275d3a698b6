import type { Change } from "../../src/workflow-engine/interpreter/changes.ts";
import type { CompiledWorkflow } from "../../src/workflow-engine/interpreter/compiled-workflow.ts";
import { placeInWindow, readRunWindow } from "../../src/workflow-engine/interpreter/run-window.ts";
import type { Wait } from "../../src/workflow-engine/interpreter/job-state.ts";
import type { LoggedEvent } from "../../src/workflow-engine/jobs/log-format.ts";

/** One iteration as the log tells of it. */
export interface LoggedIteration {
  task: string;
  wait: Wait["for"] | undefined;
  /** When the event that finished it was applied; undefined when it was dropped by a revert or a cancellation. */
  finishedAt: number | undefined;
}

/** A child job that the log asks for. */
export interface AskedChild {
  _id: string;
  task: string;
  iteration: number;
  index: number;
}

/** An event of a log: its number, and when its node judged it, in milliseconds. */
export interface LogMoment {
  seq: number;
  at: number;
}

/** A lock that a task had; `to` is undefined while it has it. */
export interface HeldLock {
  key: string;
  task: string;
  from: LogMoment;
  to: LogMoment | undefined;
}

/** What the whole log of a job says. */
export interface LogAudit {
  iterations: ReadonlyMap<number, LoggedIteration>;
  children: readonly AskedChild[];
  /** When the job had which locks. */
  locks: readonly HeldLock[];
  /** What no log may hold: gaps, an iteration that begins or ends twice, anything after the end. */
  violations: readonly string[];
}

interface Audit {
  workflow: CompiledWorkflow;
  iterations: Map<number, LoggedIteration>;
  children: AskedChild[];
  locks: HeldLock[];
  violations: string[];
  /** Task → iteration that has a number, but waits before it starts. */
  scheduled: Map<string, { iteration: number; key: string | undefined }>;
  /** Task → iteration under way. */
  open: Map<string, number>;
  /** Task → state it finished in last. */
  finishStates: Map<string, string>;
  hasEnded: boolean;
  lastIteration: number;
  /** Event → newest iteration of the job when a task took it. */
  taken: Map<string, number>;
  /** Event that the task takes which ends next. */
  taking: string | undefined;
  hasMissedSla: boolean;
}

/** Reads a log from its first event on, and distrusts each. */
export function auditLog(events: readonly LoggedEvent[], workflow: CompiledWorkflow): LogAudit {
  const audit: Audit = {
    workflow,
    iterations: new Map(),
    children: [],
    locks: [],
    violations: [],
    scheduled: new Map(),
    open: new Map(),
    finishStates: new Map(),
    hasEnded: false,
    lastIteration: 0,
    taken: new Map(),
    taking: undefined,
    hasMissedSla: false,
  };
  events.forEach(({ seq, at, delta }, index) => {
    if (seq !== index + 1) audit.violations.push(`event ${index + 1} has the number ${seq}`);
    delta.changes.forEach((change, place) => auditChange(audit, change, { seq, at, isFirst: index + place === 0 }));
  });
  const left = [...audit.open].filter(([, iteration]) => audit.iterations.get(iteration)?.wait !== "body");
  if (audit.hasEnded && left.length > 0) audit.violations.push(`ended with open iterations of ${left.join(" ")}`);
  return audit;
}

interface Moment extends LogMoment {
  isFirst: boolean;
}

type ChangeOf<Kind extends Change["change"]> = Extract<Change, { change: Kind }>;
type Auditor<Kind extends Change["change"]> = (audit: Audit, change: ChangeOf<Kind>, moment: Moment) => void;

const auditors: { [Kind in Change["change"]]?: Auditor<Kind> } = {
  created: (audit, _change, { isFirst }) => {
    if (!isFirst) audit.violations.push("is created a second time");
  },
  started: auditStart,
  finished: auditFinish,
  scheduled: auditSchedule,
  locked: (audit, { task }, moment) => {
    const key = audit.scheduled.get(task)?.key;
    if (key === undefined) audit.violations.push(`gives a lock to ${task}, which waits for none`);
    else audit.locks.push({ key, task, from: moment, to: undefined });
  },
  opened: auditOpening,
  eventTaken: (audit, { id, iteration }) => {
    audit.taking = id;
    if (!audit.taken.has(id)) audit.taken.set(id, iteration);
  },
  slaMissed: (audit) => {
    if (audit.hasMissedSla) audit.violations.push("misses its time twice");
    audit.hasMissedSla = true;
  },
  canceled: (audit, { tasks }, moment) => tasks.forEach((task) => dropTask(audit, task, moment)),
  requeued: (audit, { task }, moment) => dropTask(audit, task, moment),
  waiting: (audit, { task }) => void audit.open.set(task, latestOf(audit, task)),
  reverted: (audit, { task }, moment) => {
    for (const reset of audit.workflow.region(task)) dropTask(audit, reset, moment);
  },
  continued: (audit, { task }, moment) => {
    const taken = audit.workflow.edgesFrom(task).filter(({ state }) => state === audit.finishStates.get(task));
    for (const { to } of taken) for (const reset of audit.workflow.region(to)) dropTask(audit, reset, moment);
  },
  children: (audit, { task, children }) => {
    const iteration = audit.open.get(task) ?? 0;
    const known = new Set(audit.children.map(({ _id }) => _id));
    const asked = children.filter(({ _id }) => !known.has(_id));
    audit.children.push(...asked.map(({ _id, index }) => ({ _id, task, iteration, index })));
  },
  status: (audit, { status }, moment) => {
    if (audit.hasEnded) audit.violations.push(`becomes ${status} after its end`);
    audit.hasEnded = status === "complete" || status === "canceled";
    if (status === "canceled") for (const task of audit.workflow.taskIds) dropTask(audit, task, moment);
  },
};

function auditChange(audit: Audit, change: Change, moment: Moment): void {
  if (moment.isFirst && change.change !== "created") audit.violations.push("does not begin with its creation");
  const auditor = auditors[change.change] as Auditor<Change["change"]> | undefined;
  auditor?.(audit, change, moment);
}

/** The task does nothing any more: what it had is given back. */
function dropTask(audit: Audit, task: string, moment: LogMoment): void {
  audit.open.delete(task);
  audit.scheduled.delete(task);
  for (const lock of audit.locks) if (lock.task === task) lock.to ??= moment;
}

function auditSchedule(audit: Audit, { task, iteration, wait }: ChangeOf<"scheduled">): void {
  if (audit.scheduled.get(task)?.iteration !== iteration) numberIteration(audit, iteration);
  audit.scheduled.set(task, { iteration, key: wait.for === "lock" ? wait.key : undefined });
}

function numberIteration(audit: Audit, iteration: number): void {
  if (iteration !== audit.lastIteration + 1)
    audit.violations.push(`iteration ${iteration} follows ${audit.lastIteration}`);
  audit.lastIteration = iteration;
}

function auditOpening(audit: Audit, { task }: ChangeOf<"opened">, { at }: Moment): void {
  if (!audit.scheduled.has(task)) audit.violations.push(`opens the window of ${task}, which waits for none`);
  if (!isInWindow(audit, task, at)) audit.violations.push(`opens the window of ${task} too early`);
}

function isInWindow({ workflow }: Audit, task: string, at: number): boolean {
  const { scheduled } = (workflow.task(task) ?? {}) as { scheduled?: unknown };
  const window = readRunWindow(scheduled);
  return window === undefined || Array.isArray(window) || placeInWindow(window, at).is === "open";
}

function auditStart(audit: Audit, { task, iteration, wait }: ChangeOf<"started">, { at }: Moment): void {
  if (!isInWindow(audit, task, at)) audit.violations.push(`starts ${task} outside its window`);
  if (audit.hasEnded) audit.violations.push(`starts ${task} after its end`);
  const open = audit.open.get(task);
  if (open !== undefined) audit.violations.push(`starts ${task} while its iteration ${open} is open`);
  audit.open.set(task, iteration);
  // Start and end of a workflow have no iterations.
  if (iteration === 0) return;
  if (audit.scheduled.get(task)?.iteration !== iteration) numberIteration(audit, iteration);
  audit.scheduled.delete(task);
  audit.iterations.set(iteration, { task, wait: wait?.for, finishedAt: undefined });
}

function auditFinish(audit: Audit, { task, state }: ChangeOf<"finished">, moment: Moment): void {
  audit.finishStates.set(task, state);
  const open = audit.open.get(task);
  dropTask(audit, task, moment);
  if (open === undefined) {
    audit.violations.push(`finishes ${task}, which has no open iteration`);
    return;
  }
  const iteration = audit.iterations.get(open);
  const event = audit.taking;
  audit.taking = undefined;
  const isTakenBefore = event !== undefined && open > (audit.taken.get(event) ?? 0);
  if (isTakenBefore) audit.violations.push(`iteration ${open} of ${task} takes event ${event} once more`);
  const needsEvent = iteration?.wait === "event" && state === "success" && event === undefined;
  if (needsEvent) audit.violations.push(`iteration ${open} of ${task} ends without its event`);
  if (iteration?.finishedAt !== undefined) audit.violations.push(`finishes iteration ${open} of ${task} twice`);
  if (iteration) iteration.finishedAt = moment.at;
}

function latestOf(audit: Audit, task: string): number {
  const numbers = [...audit.iterations].filter(([, iteration]) => iteration.task === task).map(([number]) => number);
  return numbers.at(-1) ?? 0;
}
