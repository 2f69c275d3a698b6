import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../core/clock.ts";
import { notFound } from "../../core/errors.ts";
import {
  DuplicateKeyError,
  SequenceConflictError,
  VersionConflictError,
  type Store,
  type Write,
} from "../../store/store.ts";
import type { WorkQueue } from "../../work-queue/work-queue.ts";
import { createJob } from "../interpreter/advance.ts";
import type { Environment, JobTopic } from "../interpreter/draft.ts";
import type { JobEvent } from "../interpreter/events.ts";
import type { JobOrigin, JobState } from "../interpreter/job-state.ts";
import { previewEvent, type JobPreview } from "../interpreter/preview.ts";
import { engineEvents } from "./engine-events.ts";
import type { EngineTopics } from "./engine-topics.ts";
import { eventWork } from "./event-records.ts";
import type { CacheBounds } from "./job-cache.ts";
import { createJobLogs, type JobLogs } from "./job-log.ts";
import { JobSize, type KnownJob } from "./job-size.ts";
import { createJobStates, isEnded, type JobStates } from "./job-states.ts";
import { judgeEvents, type AskedEvent, type Judgement, type MayAccess, type Step } from "./judged-events.ts";
import { createMailboxes, type Mailboxes } from "./mailboxes.ts";
import { createMetricIncrements, type MetricIncrements } from "./metric-increments.ts";
import { askedWork, eventItems, stepWrites, type AskedWork } from "./step-writes.ts";
import type { PreparedWorkflow, WorkflowSnapshots } from "./workflow-snapshots.ts";

export interface JobRunnerServices {
  store: Store;
  queue: WorkQueue;
  snapshots: WorkflowSnapshots;
  environment: Environment;
  clock: Clock;
  /** Told after each commit what happened to a job. */
  publish(topic: JobTopic, state: JobState): void;
  /** Told after each commit of every event of a log it wrote. */
  told(step: Step): void;
  /** Told whose headers a commit wrote, as soon as it is durable. */
  wroteHeaders(jobIds: readonly string[]): void;
  /** Which of the engine's own events somebody waits for. */
  engineTopics: EngineTopics;
  /** How long this node has before another takes over its work under way, milliseconds. */
  leaseMs: number;
  /** How much of jobs under way is kept in memory. */
  cache: CacheBounds;
  /** Which figures of jobs this node adds to: one letter or digit. */
  metricSlot: string;
}

/** Of a job: what is made ready of it while the store writes takes memory as long as the store is slow. */
const mostBytesMadeReady = 32_768;

/** What goes along with the making of a job. */
export interface Creation {
  /** Committed with it. */
  alongside?: readonly Write[];
  /** Called while the store writes the job, before anybody may see it, unless it is large: for what can be made ready meanwhile. */
  meanwhile?(state: JobState): void;
}

/**
 * Brings events to jobs. An activation is durable before anybody sees it: the event's changes, the
 * read models and the work it asks for are one commit. Events of one job are applied one after the
 * other; those that arrive meanwhile share the next commit (architecture: life of an event).
 */
export interface JobRunner {
  /** Creates a job and runs it until it needs the outside. VersionConflictError: the workflow is not as it was prepared. */
  create(origin: JobOrigin, prepared: PreparedWorkflow, creation?: Creation): Promise<JobState>;
  /**
   * Applies an event; NOT_FOUND for an unknown job, and for one that is out of reach by `mayAccess` in the very
   * state the event is applied to; CONFLICT where the job's state forbids it.
   */
  activate(jobId: string, event: JobEvent, alongside?: readonly Write[], mayAccess?: MayAccess): Promise<JobState>;
  /** What the event would do to a job in this state. Nothing is written. */
  preview(state: JobState, event: JobEvent): Promise<JobPreview>;
  /** The state with everything that any node committed before the call. */
  read(jobId: string): Promise<JobState | undefined>;
  /** What this node remembers of the job, or else its state. Costs nothing, but on a shared store it may be out of date. */
  recall(jobId: string): Promise<JobState | undefined>;
  /** Nobody is about to ask for this job: when it has ended, this node need not remember it. */
  release(jobId: string): void;
}

interface Request extends AskedEvent {
  alongside: readonly Write[];
  resolve: (state: JobState) => void;
  reject: (error: unknown) => void;
}

interface JudgedJob {
  judgement: Judgement<Request>;
  size: JobSize;
}

/** Creates the runner of a node. */
export function createJobRunner(services: JobRunnerServices): JobRunner {
  return new NodeJobRunner(services);
}

class NodeJobRunner implements JobRunner {
  readonly #services: JobRunnerServices;
  readonly #logs: JobLogs;
  readonly #states: JobStates;
  readonly #mailboxes: Mailboxes<Request>;
  readonly #metricIncrements: MetricIncrements;

  constructor(services: JobRunnerServices) {
    const { store, snapshots, cache } = services;
    this.#services = services;
    this.#logs = createJobLogs(store, (hash) => snapshots.find(hash));
    this.#states = createJobStates({ store, logs: this.#logs, clock: services.clock }, cache);
    this.#mailboxes = createMailboxes((jobId, batch) => this.#workBatch(jobId, batch));
    this.#metricIncrements = createMetricIncrements(services.metricSlot);
  }

  async read(jobId: string): Promise<JobState | undefined> {
    return undeleted(await this.#states.read(jobId));
  }

  async recall(jobId: string): Promise<JobState | undefined> {
    return undeleted(this.#states.remembered(jobId) ?? (await this.#states.catchUp(jobId)));
  }

  release(jobId: string): void {
    const job = this.#states.remembered(jobId);
    if (job && isEnded(job.state)) this.#states.forget(jobId);
  }

  async create(origin: JobOrigin, prepared: PreparedWorkflow, creation: Creation = {}): Promise<JobState> {
    const { environment, clock, snapshots } = this.#services;
    const { alongside = [], meanwhile } = creation;
    const activation = createJob(origin, { workflow: prepared.compiled, environment, at: clock.now() });
    const step = { ...activation, before: undefined, workflow: prepared.compiled };
    const size = new JobSize();
    const committed = this.#commit([step], [...prepared.alongside, ...alongside], size);
    const isSmall = size.bytes <= mostBytesMadeReady;
    // The store is handed its writes at the end of this turn of the event loop.
    const ready = meanwhile && isSmall ? nextTurn(activation.state).then(meanwhile) : undefined;
    await Promise.all([committed, ready]);
    snapshots.confirm(prepared.hash);
    return activation.state;
  }

  async preview(state: JobState, event: JobEvent): Promise<JobPreview> {
    const { environment, clock, snapshots } = this.#services;
    const workflow = await snapshots.find(state.origin.snapshot);
    return previewEvent(state, event, { workflow, environment, at: timeOf(clock, state) });
  }

  activate(jobId: string, event: JobEvent, alongside: readonly Write[] = [], mayAccess?: MayAccess): Promise<JobState> {
    return new Promise((resolve, reject) => {
      this.#mailboxes.send(jobId, { event, alongside, mayAccess, resolve, reject });
    });
  }

  /** False: the batch is to be worked again. */
  async #workBatch(jobId: string, batch: readonly Request[]): Promise<boolean> {
    try {
      return await this.#runBatch(jobId, batch).then(
        () => true,
        (error: unknown) => this.#recover(jobId, error).then(() => false),
      );
    } catch (error) {
      if (batch.length > 1 && isRefusedWrite(error)) await this.#workEach(jobId, batch);
      else for (const request of batch) request.reject(error);
      return true;
    }
  }

  /** Something that was to be written alongside one request was overtaken: the others are not to suffer for it. */
  async #workEach(jobId: string, batch: readonly Request[]): Promise<void> {
    for (const request of batch) while (!(await this.#workBatch(jobId, [request])));
  }

  /** Applies a batch of events in order; each is answered on its own, all are one commit. */
  async #runBatch(jobId: string, batch: readonly Request[]): Promise<void> {
    const { judgement, size } = await this.#judgeSurely(jobId, batch);
    const { steps, accepted, refused } = judgement;
    const alongside = accepted.flatMap(({ request }) => request.alongside);
    await this.#commit(steps, alongside, size);
    for (const { request, state } of accepted) request.resolve(state);
    for (const { request, error } of refused) request.reject(error);
  }

  /**
   * Another node was first: what was missed is read. Where nothing was, the log is gone, and so is the job. After any
   * other failure it is unknown what was written.
   */
  async #recover(jobId: string, error: unknown): Promise<void> {
    const isOvertaken = error instanceof SequenceConflictError;
    if (isOvertaken && this.#services.store.isShared) {
      const before = this.#states.remembered(jobId);
      const latest = await this.#states.catchUp(jobId);
      if (latest !== before) return;
    }
    this.#states.forget(jobId);
    if (!isOvertaken) throw error;
  }

  /** Judges by what is remembered, which costs no look; what came to nothing there is judged again by what is committed. */
  async #judgeSurely(jobId: string, batch: readonly Request[]): Promise<JudgedJob> {
    const remembered = this.#states.remembered(jobId);
    const job = remembered ?? (await this.#states.catchUp(jobId));
    if (!job) throw notFound(`Job ${jobId} not found`);
    const judged = await this.#judge(job, batch);
    if (!remembered || !this.#services.store.isShared || !judged.judgement.isDoubtful) return judged;
    const latest = (await this.#states.read(jobId)) ?? job;
    return latest.state.seq === job.state.seq ? judged : this.#judge(latest, batch);
  }

  async #judge({ state, size }: KnownJob, batch: readonly Request[]): Promise<JudgedJob> {
    const { environment, clock, snapshots } = this.#services;
    const workflow = await snapshots.find(state.origin.snapshot);
    return { judgement: judgeEvents(state, batch, { workflow, environment, at: timeOf(clock, state) }), size };
  }

  async #commit(steps: readonly Step[], alongside: readonly Write[], size: JobSize): Promise<void> {
    const { store, queue, clock, leaseMs, wroteHeaders, engineTopics, told } = this.#services;
    const log = this.#logs.open(size);
    const happened = steps.flatMap((step) => engineEvents(step, engineTopics)).map(eventWork);
    const asked = [
      ...askedWork(steps, clock, leaseMs),
      ...happened.flatMap((event) => eventItems(event, clock, leaseMs)),
    ];
    const written = steps.flatMap((step) => stepWrites(step, log, this.#metricIncrements));
    const items = asked.map(({ item }) => queue.enqueue(item));
    const events = happened.flatMap((event) => event.writes);
    const writes = [...alongside, ...log.largeValueWrites(), ...written, ...events, ...items];
    if (writes.length > 0) await store.commit(writes);
    wroteHeaders(writes.flatMap(headerOf));
    log.confirm();
    for (const { state } of steps) this.#states.remember({ state, size });
    dispatch(this.#services, asked);
    for (const step of steps) tell(this.#services, step);
    steps.forEach(told);
  }
}

/** The state of a job that is not deleted. */
function undeleted(job: KnownJob | undefined): JobState | undefined {
  return job?.state.isDeleted ? undefined : job?.state;
}

function isRefusedWrite(error: unknown): boolean {
  return error instanceof VersionConflictError || error instanceof DuplicateKeyError;
}

/** The clocks of nodes differ by a little: what comes later in a log is not told as earlier. */
function timeOf(clock: Clock, { changedAt }: JobState): number {
  return Math.max(clock.now(), changedAt);
}

/** The job whose header a write changes. */
function headerOf(write: Write): string[] {
  return write.kind === "put" && write.collection === "jobs" ? [(write.document as { _id: string })._id] : [];
}

function dispatch({ queue }: JobRunnerServices, asked: readonly AskedWork[]): void {
  const later = asked.filter(({ isLocal }) => !isLocal);
  if (later.length > 0) queue.committed(later.map(({ item }) => item));
  for (const { item, isLocal } of asked) if (isLocal) queue.runLocally(item);
}

function tell({ publish }: JobRunnerServices, { effects, state }: Step): void {
  for (const effect of effects) if (effect.effect === "publish") publish(effect.topic, state);
}
