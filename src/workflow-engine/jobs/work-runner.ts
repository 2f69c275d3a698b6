import { systemCaller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";
import type { WorkItem, Write } from "../../store/store.ts";
import type { WorkQueue, WorkRunner } from "../../work-queue/work-queue.ts";
import type { JobEvent } from "../interpreter/events.ts";
import { taskState, type JobState } from "../interpreter/job-state.ts";
import { startChild, type ChildStartServices } from "./child-starts.ts";
import type { JobDeletion } from "./job-deletion.ts";
import type { EventDelivery } from "./event-delivery.ts";
import type { JobRunner } from "./job-runner.ts";
import type { LockWork } from "./lock-work.ts";
import { isEnded } from "./job-states.ts";
import { keepValue, type ValueKeeping } from "./keep-value.ts";
import { largeValueCollection, rootOf } from "./large-parts.ts";
import { regroupChildren } from "./regroup-children.ts";
import type { Retention } from "./retention.ts";
import { performCall, type CallServices } from "./perform-call.ts";
import type { TaskCall } from "./task-calls.ts";
import { persistently } from "./while-store-away.ts";
import { engineWork, type EngineWork } from "./work-items.ts";

export interface WorkServices extends ChildStartServices, CallServices {
  clock: Clock;
  queue: WorkQueue;
  locks: LockWork;
  events: EventDelivery;
  deletion: JobDeletion;
  retention: Retention;
  /** Characters that a value kept in the store may have, at most. */
  largestValue: number;
}

type Work<Kind extends EngineWork["kind"]> = Extract<EngineWork, { kind: Kind }>;
type Runners = {
  [Kind in EngineWork["kind"]]: (
    services: WorkServices,
    work: Work<Kind>,
    complete: Write,
    failedAttempts: number,
  ) => Promise<void>;
};

type RunAny = (services: WorkServices, work: EngineWork, complete: Write, failedAttempts: number) => Promise<void>;

const runners: Runners = {
  callTask,
  timer: (services, { job, task, iteration }, complete) =>
    deliver(services, job, { event: "timerDue", task, iteration }, complete),
  openWindow: (services, { job, task, iteration }, complete) =>
    deliver(services, job, { event: "windowOpens", task, iteration }, complete),
  sla: (services, { job }, complete) => deliver(services, job, { event: "slaDue" }, complete),
  lookForEvents: ({ events }, work, complete) => events.look(work, complete),
  deliverEvent: ({ events }, work, complete) => events.deliver(work, complete),
  sweepEvents: ({ events }, work, complete) => events.sweep(work, complete),
  proceed: (services, { job }, complete) => deliver(services, job, { event: "proceed" }, complete),
  cancelChild,
  deleteTree: ({ deletion }, work, complete) => deletion.runTree(work, complete),
  removeJob: ({ deletion }, work, complete) => deletion.runRemoval(work, complete),
  retention: ({ retention }, _work, complete) => retention.run(complete),
  acquireLock: ({ locks }, work, complete, attempts) => locks.acquire(work, complete, attempts),
  releaseLock: ({ locks }, work, complete) => locks.release(work, complete),
  startChild: async (services, work, complete) => {
    const failure = await startChild(services, work, complete);
    const { task, iteration, index } = work;
    if (failure)
      await deliver(services, work.job, { event: "childEnded", task, iteration, index, end: failure }, complete);
  },
  notifyParent,
  regroupChildren: async (services, { job }, complete, failedAttempts) => {
    await regroupChildren(services, job, failedAttempts < attemptsForLateChild);
    await services.store.commit([complete]);
  },
};

/** Runs the engine's work items. Each result and the removal of its item are one commit. */
export function createWorkRunner(services: WorkServices): WorkRunner {
  return async (item: WorkItem) => {
    const work = engineWork(item);
    const run = runners[work.kind] as RunAny;
    await run(services, work, services.queue.complete(item.id), item.attempts ?? 0);
  };
}

/** Brings an event to a job; an event that nobody waits for any more only completes its item. */
async function deliver(
  { runner, store }: WorkServices,
  jobId: string,
  event: JobEvent,
  complete: Write,
): Promise<void> {
  try {
    await runner.activate(jobId, event, [complete]);
  } catch (error) {
    if (!(error instanceof PlatformError) || (error.code !== "CONFLICT" && error.code !== "NOT_FOUND")) throw error;
    await store.commit([complete]);
  }
}

/** About eight seconds: a start that was under way when its parent was canceled has come to its end by then. */
const attemptsForLateChild = 5;

/** A child whose start is under way may be created after it was canceled: it is looked for a few times. */
async function cancelChild(
  services: WorkServices,
  { job }: Work<"cancelChild">,
  complete: Write,
  failedAttempts: number,
): Promise<void> {
  if (failedAttempts < attemptsForLateChild && !(await services.runner.read(job)))
    throw new Error(`child job ${job} is to be canceled, but is not created yet`);
  await deliver(services, job, { event: "cancel", by: systemCaller }, complete);
}

/**
 * What is remembered suffices to make the call: its item is removed with its result, so while there is
 * one the call is wanted. That it is not wanted must be seen in what is committed.
 */
async function findOpenCall(runner: JobRunner, work: Work<"callTask">): Promise<JobState | undefined> {
  const recalled = await runner.recall(work.job);
  if (recalled && isCallOpen(recalled, work)) return recalled;
  const state = await runner.read(work.job);
  return state && isCallOpen(state, work) ? state : undefined;
}

function isCallOpen(state: JobState, { task, iteration }: Work<"callTask">): boolean {
  const open = state.tasks.get(task);
  return open?.iteration === iteration && open.wait?.for === "call";
}

async function callTask(services: WorkServices, work: Work<"callTask">, complete: Write): Promise<void> {
  const state = await findOpenCall(services.runner, work);
  if (!state) {
    await services.store.commit([complete]);
    return;
  }
  const { incoming = {} } = taskState(state, work.task);
  const workflow = await services.snapshots.find(state.origin.snapshot);
  const task = workflow.task(work.task);
  if (!task) throw new Error(`job ${work.job} calls a task it does not have`);
  const { job: key, iteration } = work;
  const keep: TaskCall["keep"] = (source) => keepValue(source, keepingOf(services, state, work));
  const call = { state, workflow, task, iteration, incoming, key, keep };
  const result = await whileShown(services, work, () => performCall(services, call));
  const event = { event: "taskResult", task: work.task, iteration: work.iteration, result } as const;
  // What led to a result may not be repeatable. Delivering it twice does no harm.
  await persistently(services.clock, () => deliver(services, work.job, event, complete));
}

/** A call that lasts longer is shown in lists. */
const shownAfterMs = 1_000;

/** A call that ends soon costs no row of its task: there would be nothing to see. */
async function whileShown<T>(
  { runner, clock }: WorkServices,
  work: Work<"callTask">,
  call: () => Promise<T>,
): Promise<T> {
  const { job, task, iteration } = work;
  const hide = clock.after(shownAfterMs, () => {
    runner.activate(job, { event: "callLasts", task, iteration }).catch(() => undefined);
  });
  try {
    return await call();
  } finally {
    hide();
  }
}

/** For the call, as long as its task waits for it. */
function keepingOf(services: WorkServices, { origin }: JobState, work: Work<"callTask">): ValueKeeping {
  const { store, runner, clock, largestValue } = services;
  return {
    store,
    root: rootOf(origin),
    mostCharacters: largestValue,
    keep: (document) =>
      persistently(clock, () => store.commit([{ kind: "keep", collection: largeValueCollection, document }])),
    isWanted: async () => {
      const state = await persistently(clock, () => runner.read(work.job));
      return state !== undefined && isCallOpen(state, work) && taskState(state, work.task).status === "running";
    },
  };
}

async function notifyParent(services: WorkServices, work: Work<"notifyParent">, complete: Write): Promise<void> {
  const child = await readTold(services.runner, work);
  const parent = child?.origin.parent;
  if (!child || !parent) {
    await services.store.commit([complete]);
    return;
  }
  const { task, iteration, index } = parent;
  const end = { status: work.status, variables: child.variables };
  await deliver(services, parent.job, { event: "childEnded", task, iteration, index, end }, complete);
  // Of a loop over many elements only the parent goes on.
  services.runner.release(work.job);
}

/** The child as it is to be told of: one that went into error tells so only while it is. */
async function readTold(runner: JobRunner, { job, status }: Work<"notifyParent">): Promise<JobState | undefined> {
  if (status !== "error") return readEnded(runner, job);
  const child = await runner.read(job);
  return child?.status === "error" ? child : undefined;
}

/** The variables of a job that has ended change no more, so an end that is remembered is good enough. */
async function readEnded(runner: JobRunner, jobId: string): Promise<JobState | undefined> {
  const recalled = await runner.recall(jobId);
  return recalled && isEnded(recalled) ? recalled : runner.read(jobId);
}
