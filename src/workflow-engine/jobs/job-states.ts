import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../store/store.ts";
import type { JobState, TaskState } from "../interpreter/job-state.ts";
import { timerOf } from "../interpreter/wait-any.ts";
import { createJobCache, type CacheBounds } from "./job-cache.ts";
import type { JobLogs } from "./job-log.ts";
import type { KnownJob } from "./job-size.ts";

/** The states of jobs on one node: what is remembered here, and how it is brought up to date. */
export interface JobStates {
  /** What this node remembers. On a shared store it may be out of date. */
  remembered(jobId: string): KnownJob | undefined;
  /** The job with everything that was committed before the call; undefined for an unknown one. */
  read(jobId: string): Promise<KnownJob | undefined>;
  /** The same, asked of the store whatever is remembered. */
  catchUp(jobId: string): Promise<KnownJob | undefined>;
  /** Remembers a job in a state that was committed. Never replaces a later one. */
  remember(job: KnownJob): void;
  /** Forgets a job of which it is unknown whether its last commit was written. */
  forget(jobId: string): void;
}

// Jobs at rest are read seldom: they must not push out those under way, nor hold much memory.
const atRestShare = 1 / 8;

/**
 * What was remembered for longer without a look at the store is not gone by: the log of a deleted job is removed a
 * good while later (`removedAfterMs`), so that every node sees by it that the job is deleted.
 */
const trustedMs = 1_800_000;

export interface JobStatesServices {
  store: Store;
  logs: JobLogs;
  clock: Clock;
}

/** The states of a node's jobs over the logs of a store. */
export function createJobStates({ store, logs, clock }: JobStatesServices, most: CacheBounds): JobStates {
  const underWay = createJobCache(most);
  const atRest = createJobCache({ states: Math.ceil(most.states * atRestShare), bytes: most.bytes * atRestShare });
  const looks = new Map<string, Promise<KnownJob | undefined>>();

  /** When a state was last known to be the newest, on a store that others write to. */
  const confirmedAt = new WeakMap<JobState, number>();
  const confirm = ({ state }: KnownJob, at: number): void => {
    if (store.isShared) confirmedAt.set(state, at);
  };

  const held = (jobId: string): KnownJob | undefined => underWay.get(jobId) ?? atRest.get(jobId);
  const remembered = (jobId: string): KnownJob | undefined => {
    const job = held(jobId);
    if (!job || !store.isShared) return job;
    return clock.now() - (confirmedAt.get(job.state) ?? Number.NEGATIVE_INFINITY) <= trustedMs ? job : undefined;
  };
  const forget = (jobId: string): void => {
    underWay.drop(jobId);
    atRest.drop(jobId);
  };
  const remember = (job: KnownJob, at = clock.now()): void => {
    const { state } = job;
    const jobId = state.origin._id;
    if ((held(jobId)?.state.seq ?? 0) > state.seq || isDoneAtOnce(state)) return;
    confirm(job, at);
    const isResting = isAtRest(state);
    (isResting ? underWay : atRest).drop(jobId);
    (isResting ? atRest : underWay).put(job);
  };

  const look = async (jobId: string): Promise<KnownJob | undefined> => {
    const before = remembered(jobId);
    // However long the answer takes, it says nothing of the time after the question.
    const askedAt = clock.now();
    const job = await logs.read(jobId, before);
    if (job && job === before) confirm(job, askedAt);
    // On a store of its own nothing tells a node that what it read here was overtaken meanwhile: only commits are remembered.
    if (job && job !== before && store.isShared) remember(job, askedAt);
    return job;
  };

  /** All who ask in one turn share a look. It begins after the last of them asked, so it sees what they must see. */
  const catchUp = (jobId: string): Promise<KnownJob | undefined> => {
    let shared = looks.get(jobId);
    if (!shared) {
      shared = Promise.resolve().then(() => {
        looks.delete(jobId);
        return look(jobId);
      });
      looks.set(jobId, shared);
    }
    return shared;
  };

  return {
    remembered,
    read: async (jobId) => (store.isShared ? undefined : remembered(jobId)) ?? catchUp(jobId),
    catchUp,
    remember: (job) => remember(job),
    forget,
  };
}

/** Is the job complete or canceled? Nothing but who may see it and who watches it changes then. */
export function isEnded({ status }: JobState): boolean {
  return status === "complete" || status === "canceled";
}

/** Nobody waits for a job that was over when its start was answered. */
function isDoneAtOnce(state: JobState): boolean {
  return state.seq === 1 && isEnded(state) && !state.origin.parent;
}

const soonMs = 10_000;

/** Nothing is to happen to the job soon: it has ended, is held, or waits for people and times far away. */
function isAtRest(state: JobState): boolean {
  if (state.status !== "running") return true;
  if (state.ready.size > 0) return false;
  for (const task of state.tasks.values()) if (isBusy(task, state.changedAt)) return false;
  return true;
}

function isBusy({ status, wait }: TaskState, now: number): boolean {
  if (status !== "running" || !wait) return false;
  const timer = timerOf(wait);
  if (timer) return timer.dueAt < now + soonMs;
  return wait.for === "call" || wait.for === "children";
}
