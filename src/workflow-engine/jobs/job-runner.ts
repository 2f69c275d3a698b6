import type { Clock } from "../../core/clock.ts";
import { notFound } from "../../core/errors.ts";
import { SequenceConflictError, type Store, type WorkItem, type Write } from "../../store/store.ts";
import type { WorkQueue } from "../../work-queue/work-queue.ts";
import { advance, createJob, type Activation, type ActivationContext } from "../interpreter/advance.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { Effect, Environment, JobTopic } from "../interpreter/draft.ts";
import type { JobEvent } from "../interpreter/events.ts";
import type { JobOrigin, JobState } from "../interpreter/job-state.ts";
import { createJobCache } from "./job-cache.ts";
import { createMailboxes } from "./mailboxes.ts";
import { encodeState, loadState } from "./job-log.ts";
import { projectionWrites } from "./projections.ts";
import { iterationWorkId, workItem, workOf } from "./work-items.ts";
import type { PreparedWorkflow, WorkflowSnapshots } from "./workflow-snapshots.ts";

export interface JobRunnerServices {
  store: Store;
  queue: WorkQueue;
  snapshots: WorkflowSnapshots;
  environment: Environment;
  clock: Clock;
  /** Told after each commit what happened to a job. */
  publish(topic: JobTopic, state: JobState): void;
  /** How long this node has before another takes over its work under way, milliseconds. */
  leaseMs: number;
  /** How many states of jobs under way are kept in memory. */
  cachedJobs: number;
}

/**
 * Brings events to jobs. An activation is durable before anybody sees it: the event's changes, the
 * read models and the work it asks for are one commit. Events of one job are applied one after the
 * other; those that arrive meanwhile share the next commit (architecture: life of an event).
 */
export interface JobRunner {
  /** Creates a job and runs it until it needs the outside. `alongside` is committed with it. */
  create(origin: JobOrigin, prepared: PreparedWorkflow, alongside?: readonly Write[]): Promise<JobState>;
  /** Applies an event; NOT_FOUND for an unknown job, CONFLICT where the job's state forbids it. */
  activate(jobId: string, event: JobEvent, alongside?: readonly Write[]): Promise<JobState>;
  /** The committed state of a job. */
  read(jobId: string): Promise<JobState | undefined>;
}

interface Request {
  event: JobEvent;
  alongside: readonly Write[];
  resolve: (state: JobState) => void;
  reject: (error: unknown) => void;
}

interface Step extends Activation {
  before: JobState | undefined;
  workflow: CompiledWorkflow;
}

const eventsPerSnapshot = 200;

/** Creates the runner of a node. */
export function createJobRunner(services: JobRunnerServices): JobRunner {
  const { store, snapshots, clock, environment } = services;
  const cache = createJobCache(services.cachedJobs);
  const findWorkflow = (hash: string) => snapshots.find(hash);

  // A state read here may be overtaken before it is used, so only commits fill the cache.
  const read = async (jobId: string): Promise<JobState | undefined> =>
    cache.get(jobId) ?? loadState(store, jobId, findWorkflow);

  const commit = async (steps: readonly Step[], alongside: readonly Write[]): Promise<void> => {
    const items = steps.flatMap((step) => itemsOf(step, services));
    const writes = [...alongside, ...steps.flatMap(writesOf), ...items.map(({ item }) => services.queue.enqueue(item))];
    if (writes.length > 0) await store.commit(writes);
    for (const { state } of steps) cache.put(state);
    dispatch(services, items);
    for (const step of steps) tell(services, step);
  };

  /** Applies a batch of events in order; each is answered on its own, all are one commit. */
  const runBatch = async (jobId: string, batch: readonly Request[]): Promise<void> => {
    const state = await read(jobId);
    if (!state) throw notFound(`Job ${jobId} not found`);
    const workflow = await findWorkflow(state.origin.snapshot);
    const { steps, answers } = applyEvents(state, batch, { workflow, environment, at: clock.now() });
    await commit(
      steps,
      answers.flatMap(({ request }) => request.alongside),
    );
    for (const answer of answers) answer.request.resolve(answer.state);
  };

  const mailboxes = createMailboxes<Request>(async (jobId, batch) => {
    try {
      await runBatch(jobId, batch);
      return true;
    } catch (error) {
      cache.drop(jobId);
      // Another node was first: read what was missed and apply the events again.
      if (error instanceof SequenceConflictError) return false;
      for (const request of batch) request.reject(error);
      return true;
    }
  });

  return {
    read,
    async create(origin, prepared, alongside = []) {
      const activation = createJob(origin, { workflow: prepared.compiled, environment, at: clock.now() });
      const step = { ...activation, before: undefined, workflow: prepared.compiled };
      await commit([step], [...prepared.keep, ...alongside]);
      snapshots.confirm(prepared.hash);
      return activation.state;
    },
    activate: (jobId, event, alongside = []) =>
      new Promise((resolve, reject) => mailboxes.send(jobId, { event, alongside, resolve, reject })),
  };
}

interface Answer {
  request: Request;
  state: JobState;
}

/** Applies events one after the other. One that the job's state forbids is refused; the others go on. */
function applyEvents(from: JobState, batch: readonly Request[], context: ActivationContext) {
  let state = from;
  const steps: Step[] = [];
  const answers: Answer[] = [];
  for (const request of batch) {
    try {
      const activation = advance(state, request.event, context);
      if (activation.delta.changes.length > 0) {
        steps.push({ ...activation, before: state, workflow: context.workflow });
        state = activation.state;
      }
      answers.push({ request, state });
    } catch (error) {
      request.reject(error);
    }
  }
  return { steps, answers };
}

function writesOf(step: Step): Write[] {
  const { state, delta, before, workflow } = step;
  const jobId = state.origin._id;
  const writes: Write[] = [
    { kind: "appendEvent", jobId, seq: state.seq, at: state.changedAt, delta: JSON.stringify(delta) },
  ];
  if (state.seq % eventsPerSnapshot === 0)
    writes.push({ kind: "putSnapshot", jobId, seq: state.seq, state: encodeState(state) });
  writes.push(...projectionWrites(before, state, workflow));
  for (const effect of step.effects) {
    if (effect.effect === "forget") writes.push(...forgetWrites(jobId, effect.iteration));
  }
  return writes;
}

function forgetWrites(jobId: string, iteration: number): Write[] {
  return (["callTask", "timer"] as const).map((kind) => ({
    kind: "complete",
    itemId: iterationWorkId(kind, jobId, iteration),
  }));
}

interface AskedWork {
  item: WorkItem;
  /** This node runs it at once; the stored item is its twin, due when the lease ends. */
  isLocal: boolean;
}

function itemsOf({ state, effects }: Step, { clock, leaseMs }: JobRunnerServices): AskedWork[] {
  const now = clock.now();
  return effects.flatMap((effect: Effect) => {
    const asked = workOf({ jobId: state.origin._id, seq: state.seq }, effect, now);
    if (!asked) return [];
    const isLocal = asked.runAt <= now;
    return [{ item: workItem(asked.work, isLocal ? now + leaseMs : asked.runAt), isLocal }];
  });
}

function dispatch({ queue }: JobRunnerServices, asked: readonly AskedWork[]): void {
  const later = asked.filter(({ isLocal }) => !isLocal);
  if (later.length > 0) queue.committed(later.map(({ item }) => item));
  for (const { item, isLocal } of asked) if (isLocal) queue.runLocally(item);
}

function tell({ publish }: JobRunnerServices, { effects, state }: Step): void {
  for (const effect of effects) if (effect.effect === "publish") publish(effect.topic, state);
}
