import type { JsonObject } from "../../core/json.ts";
import type { WorkItem } from "../../store/store.ts";
import type { Effect } from "../interpreter/draft.ts";
import type { EventRecord } from "./event-records.ts";
import type { Person } from "../interpreter/events.ts";

/** What the engine puts into the work queue. `kind` is the work item's kind. */
export type EngineWork =
  | { kind: "callTask"; job: string; task: string; iteration: number }
  | { kind: "timer"; job: string; task: string; iteration: number }
  | { kind: "openWindow" | "lookForEvents"; job: string; task: string; iteration: number }
  /** The job is to have ended by now. */
  | { kind: "sla"; job: string }
  /** An event on its way to those who wait for it. */
  | { kind: "deliverEvent"; event: EventRecord }
  /** Removes events that expired before `until`, milliseconds since the epoch. */
  | { kind: "sweepEvents"; until: number }
  | { kind: "startChild"; job: string; task: string; iteration: number; index: number }
  | { kind: "cancelChild"; job: string }
  /** `seq`: of the event in which the job went into error. */
  | { kind: "notifyParent"; job: string; status: "complete" | "canceled" | "error"; seq?: number }
  | { kind: "acquireLock"; job: string; task: string; iteration: number; key: string }
  | { kind: "releaseLock"; job: string; iteration: number; key: string }
  | { kind: "proceed"; job: string; seq: number }
  /** Deletes what is below a job that was deleted. `by`: who asked for it. */
  | { kind: "deleteTree"; job: string; by: Person }
  /** Removes the log of a job deleted a while ago, and with `isRoot` the large values of its tree. */
  | { kind: "removeJob"; job: string; isRoot: boolean }
  /** The one item of the retention of finished jobs. */
  | { kind: "retention" }
  | { kind: "regroupChildren"; job: string; seq: number };

/** Where an effect comes from: the job, and the event of its log that asked for it. */
export interface EffectSource {
  jobId: string;
  seq: number;
}

interface AskedForWork {
  work: EngineWork;
  /** Milliseconds since the epoch. */
  runAt: number;
}

type EffectOf<Kind extends Effect["effect"]> = Extract<Effect, { effect: Kind }>;
type Makers = {
  [Kind in Effect["effect"]]: (source: EffectSource, effect: EffectOf<Kind>, now: number) => AskedForWork | undefined;
};

const none = (): undefined => undefined;

const makers: Makers = {
  call: ({ jobId }, { task, iteration }, now) => ({
    work: { kind: "callTask", job: jobId, task, iteration },
    runAt: now,
  }),
  timer: ({ jobId }, { task, iteration, dueAt }) => ({
    work: { kind: "timer", job: jobId, task, iteration },
    runAt: dueAt,
  }),
  startChild: ({ jobId }, { task, iteration, index }, now) => ({
    work: { kind: "startChild", job: jobId, task, iteration, index },
    runAt: now,
  }),
  cancelChild: (_source, effect, now) => ({ work: { kind: "cancelChild", job: effect.jobId }, runAt: now }),
  notifyParent: (source, { status }, now) => ({ work: noticeOf(source, status), runAt: now }),
  acquireLock: ({ jobId }, { task, iteration, key }, now) => ({
    work: { kind: "acquireLock", job: jobId, task, iteration, key },
    runAt: now,
  }),
  releaseLock: ({ jobId }, { iteration, key }, now) => ({
    work: { kind: "releaseLock", job: jobId, iteration, key },
    runAt: now,
  }),
  proceed: ({ jobId, seq }, _effect, now) => ({ work: { kind: "proceed", job: jobId, seq }, runAt: now }),
  regroupChildren: ({ jobId, seq }, _effect, now) => ({
    work: { kind: "regroupChildren", job: jobId, seq },
    runAt: now,
  }),
  openWindow: ({ jobId }, { task, iteration, dueAt }) => ({
    work: { kind: "openWindow", job: jobId, task, iteration },
    runAt: dueAt,
  }),
  lookForEvents: ({ jobId }, { task, iteration }, now) => ({
    work: { kind: "lookForEvents", job: jobId, task, iteration },
    runAt: now,
  }),
  sla: ({ jobId }, { dueAt }) => ({ work: { kind: "sla", job: jobId }, runAt: dueAt }),
  endSla: none,
  forget: none,
  publish: none,
};

/** Work that an effect asks for, and when it is due; undefined for effects that need none. */
export function workOf(source: EffectSource, effect: Effect, now: number): AskedForWork | undefined {
  const make = makers[effect.effect] as (source: EffectSource, effect: Effect, now: number) => AskedForWork | undefined;
  return make(source, effect, now);
}

// A job goes into error any number of times, and ends once.
function noticeOf({ jobId, seq }: EffectSource, status: "complete" | "canceled" | "error"): EngineWork {
  const notice = { kind: "notifyParent", job: jobId, status } as const;
  return status === "error" ? { ...notice, seq } : notice;
}

/** Identifier of the item of the retention: one for all nodes. */
export const retentionItemId = "job.retention";

/** Identifier of the work item: the same work has the same one, so that asking twice stays one item. */
export function workItemId(work: EngineWork): string {
  switch (work.kind) {
    case "startChild":
      return `${work.job}.${work.iteration}.child.${work.index}`;
    case "notifyParent":
      return work.seq === undefined ? `${work.job}.notifyParent` : `${work.job}.notifyParent.error.${work.seq}`;
    case "retention":
      return retentionItemId;
    case "deliverEvent":
      return `event.${work.event._id}`;
    case "sweepEvents":
      return `events.sweep.${work.until}`;
    default:
      return workIdWithin(work);
  }
}

type WorkOfOneJob = Exclude<
  EngineWork,
  { kind: "startChild" | "notifyParent" | "retention" | "deliverEvent" | "sweepEvents" }
>;

/** One item for each kind of work of an iteration, of an event of the log, or of the job. */
function workIdWithin(work: WorkOfOneJob): string {
  if ("iteration" in work) return `${work.job}.${work.iteration}.${work.kind}`;
  return "seq" in work ? `${work.job}.${work.kind}.${work.seq}` : `${work.job}.${work.kind}`;
}

/** Work that belongs to an iteration and is not wanted when that is given up. */
export const iterationWork = ["callTask", "timer", "openWindow", "lookForEvents"] as const;
type IterationWork = (typeof iterationWork)[number];

/** Identifier of the work of an iteration. */
export function iterationWorkId(kind: IterationWork, jobId: string, iteration: number): string {
  return `${jobId}.${iteration}.${kind}`;
}

/** The stored form of the work. */
export function workItem(work: EngineWork, runAt: number): WorkItem {
  const { kind, ...payload } = work;
  // Plain data, all of it.
  return { id: workItemId(work), kind, payload: payload as unknown as JsonObject, runAt };
}

/** The work of a stored item. */
export function engineWork(item: WorkItem): EngineWork {
  return { kind: item.kind, ...item.payload } as EngineWork;
}
