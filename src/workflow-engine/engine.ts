import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import { derivedDocumentId, type Identifiers } from "../core/identifiers.ts";
import type { Logger } from "../core/logger.ts";
import { defaultLargestValue } from "../core/result-size.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Store } from "../store/store.ts";
import type { WorkQueue, WorkRunner } from "../work-queue/work-queue.ts";
import type { Environment } from "./interpreter/draft.ts";
import { createChangesElsewhere, type ChangesElsewhere } from "./jobs/changes-elsewhere.ts";
import { createJobDeletion, type JobDeletion, type JobDeletionServices } from "./jobs/job-deletion.ts";
import { createJobHistory, type JobHistory } from "./jobs/job-history.ts";
import { EngineTopics } from "./jobs/engine-topics.ts";
import { createEventService, type EventService } from "./jobs/event-service.ts";
import { createEventStreams, type EventStreams } from "./jobs/event-streams.ts";
import { EventDelivery } from "./jobs/event-delivery.ts";
import { createJobNotices, type JobNotices } from "./jobs/job-notices.ts";
import type { FindWorkflow } from "./jobs/job-log.ts";
import { createJobRunner } from "./jobs/job-runner.ts";
import { createJobService, type JobService } from "./jobs/job-service.ts";
import { createLockService, type LockService } from "./jobs/lock-service.ts";
import { createJobSharing, type JobSharing } from "./jobs/job-sharing-service.ts";
import { createLockWork } from "./jobs/lock-work.ts";
import { createManualTaskService, type ManualTaskService } from "./jobs/manual-task-service.ts";
import { createRetention, type Retention, type RetentionSettings } from "./jobs/retention.ts";
import { heavyInPlace } from "./jobs/heavy-in-place.ts";
import type { CallerDirectory, HeavyTasks, TaskCaller } from "./jobs/task-calls.ts";
import { createTaskTrials, type TaskTrials } from "./jobs/task-trials.ts";
import { createWorkRunner } from "./jobs/work-runner.ts";
import { createWorkflowSnapshots, type FindErrors } from "./jobs/workflow-snapshots.ts";
import { createMetricService, type MetricService } from "./metrics/metric-service.ts";
import { createWorkerSwitches, waitingKinds, type WorkerSwitches } from "./worker-switches.ts";

export interface EngineDependencies {
  store: Store;
  queue: WorkQueue;
  clock: Clock;
  identifiers: Identifiers;
  logger: Logger;
  calls: TaskCaller;
  /** Computes what takes too long for the event loop. Default: on it all the same. */
  heavy?: HeavyTasks;
  callers: CallerDirectory;
  /** The task library and the transformations, as pure functions, and what they cost. */
  library: Pick<Environment, "findTask" | "transform" | "effort">;
  /** The errors a workflow has now, beside what is stored. */
  findErrors: FindErrors;
  random: () => number;
  /** Encrypts the key that links are signed with. */
  secretBox?: SecretBox;
  leaseMs?: number;
  /** States of jobs kept in memory, at most. Default 2,000. */
  cachedJobs?: number;
  /** The same in bytes, about. Default 64 MB. */
  cachedBytes?: number;
  /** Characters of JSON text that a value kept in the store may have. Default 1,073,741,824 (1 GiB). */
  largestValue?: number | undefined;
  /** How long finished jobs are kept. Default: for ever. */
  retention?: RetentionSettings | undefined;
}

/** A node's workflow engine. */
export interface Engine {
  jobs: JobService;
  manualTasks: ManualTaskService;
  sharing: JobSharing;
  history: JobHistory;
  deletion: Pick<JobDeletion, "delete">;
  metrics: MetricService;
  notices: JobNotices;
  workers: WorkerSwitches;
  locks: LockService;
  events: EventService;
  streams: EventStreams;
  trials: TaskTrials;
  /** Takes up work that is due, also what an earlier process left. */
  start(): Promise<void>;
  /** Takes no new work and waits for what is under way. */
  stop(graceMs?: number): Promise<void>;
}

/** Puts the engine of a node together. */
export function createEngine(dependencies: EngineDependencies): Engine {
  const { store, queue, clock, identifiers, library, random } = dependencies;
  const environment: Environment = { ...library, random, childJobId: derivedDocumentId };
  const snapshots = createWorkflowSnapshots(store, dependencies.findErrors);
  const notices = createJobNotices(clock);
  const elsewhere = createChangesElsewhere(store, notices);
  const engineTopics = new EngineTopics({ store, clock, logger: dependencies.logger });
  const runner = createJobRunner({
    store,
    queue,
    snapshots,
    environment,
    clock,
    publish: notices.publish,
    told: (step) => streams.told(step),
    wroteHeaders: elsewhere.wroteHere,
    leaseMs: dependencies.leaseMs ?? 2_000,
    metricSlot: metricSlot(dependencies),
    engineTopics,
    cache: { states: dependencies.cachedJobs ?? 2_000, bytes: dependencies.cachedBytes ?? 64_000_000 },
  });
  const { calls, callers, logger, leaseMs = 2_000 } = dependencies;
  const canStart = () => workers.isRunning("jobWorker");
  const jobs = createJobService({ store, runner, snapshots, notices, clock, identifiers, canStart });
  const findWorkflow: FindWorkflow = (hash) => snapshots.find(hash);
  const renew = (caller: Caller) => renewFollower(callers, caller);
  const streams = createEventStreams({ store, clock, logger, jobs, findWorkflow, renew });
  const { deletion, retention } = createRemoval(dependencies, { runner, jobs, leaseMs }, findWorkflow);
  const heavy = dependencies.heavy ?? heavyInPlace(environment, clock);
  const answering = { store, clock, snapshots, environment, calls, heavy, callers };
  const work = createWorkRunner({
    ...answering,
    queue,
    runner,
    locks: createLockWork({ store, runner, snapshots, clock }),
    events: new EventDelivery({ store, runner }),
    deletion,
    retention,
    largestValue: dependencies.largestValue ?? defaultLargestValue,
  });
  const workers = createSwitches(dependencies);
  return {
    jobs,
    history: createJobHistory({ store, jobs, findWorkflow }),
    deletion,
    manualTasks: createManualTaskService(store, jobs, callers),
    sharing: createJobSharing(store, jobs),
    metrics: createMetricService(dependencies),
    notices,
    workers,
    locks: createLockService(store),
    events: createEventService({ store, queue, clock, identifiers, leaseMs }),
    streams,
    trials: createTaskTrials({ ...answering, identifiers }),
    ...createLifecycle({ queue, work, streams, elsewhere, workers, engineTopics, retention }),
  };
}

/** The switches of the workers, which hold the queue back. */
function createSwitches({ store, clock, logger, queue }: EngineDependencies): WorkerSwitches {
  const onChange = () => queue.holdBack(waitingKinds(workers));
  const workers = createWorkerSwitches({ store, clock, logger, onChange });
  return workers;
}

interface LifecycleParts {
  queue: WorkQueue;
  work: WorkRunner;
  streams: EventStreams;
  elsewhere: ChangesElsewhere;
  workers: WorkerSwitches;
  engineTopics: EngineTopics;
  retention: Retention;
}

/** How the parts of an engine begin and end, in order. */
function createLifecycle(parts: LifecycleParts): Pick<Engine, "start" | "stop"> {
  const { queue, work, streams, elsewhere, workers, engineTopics, retention } = parts;
  return {
    async start() {
      streams.start();
      elsewhere.start();
      await workers.start();
      await engineTopics.start();
      await queue.start(work);
      await retention.start();
    },
    async stop(graceMs) {
      streams.close();
      retention.stop();
      await queue.stop(graceMs);
      workers.stop();
      engineTopics.stop();
      elsewhere.stop();
    },
  };
}

/** What takes jobs away: people, and time. */
function createRemoval(
  { store, queue, clock, logger, retention: settings }: EngineDependencies,
  parts: Pick<JobDeletionServices, "runner" | "jobs" | "leaseMs">,
  findWorkflow: FindWorkflow,
) {
  const deletion = createJobDeletion({ store, queue, clock, ...parts });
  const retention = createRetention({ store, queue, clock, logger, deletion, findWorkflow, settings });
  return { deletion, retention };
}

/** Who follows events, as far as the account may do so still. */
async function renewFollower(callers: CallerDirectory, caller: Caller): Promise<Caller | undefined> {
  const renewed = await callers.renew(caller);
  return renewed?.isAllowed("OperationsManager", "streamEvents") ? renewed : undefined;
}

/** One of sixteen: two nodes seldom add to the same row. A node that has its store to itself needs one. */
function metricSlot({ store, identifiers }: EngineDependencies): string {
  return store.isShared ? identifiers.uuid().charAt(0) : "0";
}
