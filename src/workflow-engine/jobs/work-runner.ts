import { systemCaller, type Caller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";
import type { TaskResult } from "../../core/task.ts";
import { StoreUnavailableError, type WorkItem, type Write } from "../../store/store.ts";
import type { WorkQueue, WorkRunner } from "../../work-queue/work-queue.ts";
import type { JobEvent } from "../interpreter/events.ts";
import { taskState, type JobState } from "../interpreter/job-state.ts";
import { errorResult, thrownResult } from "../interpreter/task-error.ts";
import { runDocument } from "../interpreter/transformation-task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import { iterationId } from "./iteration-id.ts";
import { startChild, type ChildStartServices } from "./child-starts.ts";
import type { JobDeletion } from "./job-deletion.ts";
import type { EventDelivery } from "./event-delivery.ts";
import type { JobRunner } from "./job-runner.ts";
import type { LockWork } from "./lock-work.ts";
import { isEnded } from "./job-states.ts";
import { regroupChildren } from "./regroup-children.ts";
import type { Retention } from "./retention.ts";
import type { CallerDirectory, TaskCaller } from "./task-calls.ts";
import { engineWork, type EngineWork } from "./work-items.ts";

export interface WorkServices extends ChildStartServices {
  clock: Clock;
  queue: WorkQueue;
  calls: TaskCaller;
  callers: CallerDirectory;
  locks: LockWork;
  events: EventDelivery;
  deletion: JobDeletion;
  retention: Retention;
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
  acquireLock: ({ locks }, work, complete) => locks.acquire(work, complete),
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
  const result = await whileShown(services, work, () => perform(services, { state, task, work, incoming }));
  const event = { event: "taskResult", task: work.task, iteration: work.iteration, result } as const;
  await deliverResult(services, work.job, event, complete);
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

const mostDeliveries = 30;
const longestPauseMs = 2_000;

/**
 * What led to a result may not be repeatable: while the store is away the result is kept and delivered again,
 * for about a minute, before the call is left to be made again. Delivering twice does no harm.
 */
async function deliverResult(services: WorkServices, jobId: string, event: JobEvent, complete: Write): Promise<void> {
  for (let delivery = 1; ; delivery++) {
    try {
      return await deliver(services, jobId, event, complete);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || delivery === mostDeliveries) throw error;
    }
    const pauseMs = Math.min(longestPauseMs, 50 * 2 ** delivery);
    await new Promise<void>((resolve) => void services.clock.after(pauseMs, resolve));
  }
}

interface OpenCall {
  state: JobState;
  task: WorkflowTask;
  work: Work<"callTask">;
  incoming: Record<string, unknown>;
}

async function perform(services: WorkServices, { state, task, work, incoming }: OpenCall): Promise<TaskResult> {
  const origin = `${task.app ?? "WorkFlowEngine"}.${task.name}`;
  if (task.name === "transformation") return transformLater(services, origin, incoming);
  const caller = await actorOf(services.callers, state, task);
  if (!caller) return errorResult(origin, "The account this task acts for is gone or inactive");
  return services.calls.call({ task, incoming, caller, idempotencyKey: iterationId(work.job, work.iteration) });
}

/** A transformation whose identifier was only known at run time. */
async function transformLater(
  { store, environment }: WorkServices,
  origin: string,
  incoming: Record<string, unknown>,
): Promise<TaskResult> {
  const id = String(incoming["tr_id"]);
  const stored = await store.read("transformations", id);
  if (!stored) return errorResult(origin, `Cannot find transformation ${id}`);
  try {
    return runDocument(environment, stored.document, incoming);
  } catch (error) {
    return thrownResult(origin, error);
  }
}

/** `job`: the person who started it; a task id: the person who worked that task; else the platform itself. */
async function actorOf(callers: CallerDirectory, state: JobState, task: WorkflowTask): Promise<Caller | undefined> {
  const actor = task.actor ?? "Pronghorn";
  if (actor === "Pronghorn") return systemCaller;
  const { initiator } = state.origin;
  const accountId = actor === "job" ? initiator.accountId : state.tasks.get(actor)?.owner?.accountId;
  return accountId === undefined || accountId === systemCaller.accountId
    ? systemCaller
    : callers.byAccountId(accountId);
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
