import type { WorkItem } from "../../store/store.ts";
import type { Effect } from "../interpreter/draft.ts";

/** What the engine puts into the work queue. `kind` is the work item's kind. */
export type EngineWork =
  | { kind: "callTask"; job: string; task: string; iteration: number }
  | { kind: "timer"; job: string; task: string; iteration: number }
  | { kind: "startChild"; job: string; task: string; iteration: number; index: number }
  | { kind: "cancelChild"; job: string }
  | { kind: "notifyParent"; job: string; status: "complete" | "canceled" }
  | { kind: "proceed"; job: string; seq: number };

/** Where an effect comes from: the job, and the event of its log that asked for it. */
export interface EffectSource {
  jobId: string;
  seq: number;
}

/** Work that an effect asks for, and when it is due; undefined for effects that need none. */
export function workOf(
  { jobId, seq }: EffectSource,
  effect: Effect,
  now: number,
): { work: EngineWork; runAt: number } | undefined {
  switch (effect.effect) {
    case "call":
      return { work: { kind: "callTask", job: jobId, task: effect.task, iteration: effect.iteration }, runAt: now };
    case "timer":
      return {
        work: { kind: "timer", job: jobId, task: effect.task, iteration: effect.iteration },
        runAt: effect.dueAt,
      };
    case "startChild": {
      const { task, iteration, index } = effect;
      return { work: { kind: "startChild", job: jobId, task, iteration, index }, runAt: now };
    }
    case "cancelChild":
      return { work: { kind: "cancelChild", job: effect.jobId }, runAt: now };
    case "notifyParent":
      return { work: { kind: "notifyParent", job: jobId, status: effect.status }, runAt: now };
    case "proceed":
      return { work: { kind: "proceed", job: jobId, seq }, runAt: now };
    case "forget":
    case "publish":
      return undefined;
  }
}

/** Identifier of the work item: the same work has the same one, so that asking twice stays one item. */
export function workItemId(work: EngineWork): string {
  switch (work.kind) {
    case "callTask":
    case "timer":
      return iterationWorkId(work.kind, work.job, work.iteration);
    case "startChild":
      return `${work.job}.${work.iteration}.child.${work.index}`;
    case "proceed":
      return `${work.job}.proceed.${work.seq}`;
    default:
      return `${work.job}.${work.kind}`;
  }
}

/** Identifier of the call or timer of an iteration. */
export function iterationWorkId(kind: "callTask" | "timer", jobId: string, iteration: number): string {
  return `${jobId}.${iteration}.${kind}`;
}

/** The stored form of the work. */
export function workItem(work: EngineWork, runAt: number): WorkItem {
  const { kind, ...payload } = work;
  return { id: workItemId(work), kind, payload, runAt };
}

/** The work of a stored item. */
export function engineWork(item: WorkItem): EngineWork {
  return { kind: item.kind, ...item.payload } as EngineWork;
}
