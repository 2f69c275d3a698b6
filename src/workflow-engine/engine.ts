import type { Clock } from "../core/clock.ts";
import { derivedDocumentId, type Identifiers } from "../core/identifiers.ts";
import type { Logger } from "../core/logger.ts";
import type { Store } from "../store/store.ts";
import type { WorkQueue } from "../work-queue/work-queue.ts";
import type { Environment } from "./interpreter/draft.ts";
import { createChangesElsewhere } from "./jobs/changes-elsewhere.ts";
import { createJobNotices, type JobNotices } from "./jobs/job-notices.ts";
import { createJobRunner } from "./jobs/job-runner.ts";
import { createJobService, type JobService } from "./jobs/job-service.ts";
import { createManualTaskService, type ManualTaskService } from "./jobs/manual-task-service.ts";
import type { CallerDirectory, TaskCaller } from "./jobs/task-calls.ts";
import { createWorkRunner } from "./jobs/work-runner.ts";
import { createWorkflowSnapshots, type FindErrors } from "./jobs/workflow-snapshots.ts";
import { createWorkerSwitches, waitingKinds, type WorkerSwitches } from "./worker-switches.ts";

export interface EngineDependencies {
  store: Store;
  queue: WorkQueue;
  clock: Clock;
  identifiers: Identifiers;
  logger: Logger;
  calls: TaskCaller;
  callers: CallerDirectory;
  /** The task library and the transformations, as pure functions. */
  library: Pick<Environment, "findTask" | "transform">;
  /** The errors a workflow has now, beside what is stored. */
  findErrors: FindErrors;
  random: () => number;
  leaseMs?: number;
  /** States of jobs kept in memory, at most. Default 2,000. */
  cachedJobs?: number;
  /** The same in bytes, about. Default 64 MB. */
  cachedBytes?: number;
}

/** A node's workflow engine. */
export interface Engine {
  jobs: JobService;
  manualTasks: ManualTaskService;
  notices: JobNotices;
  workers: WorkerSwitches;
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
  const runner = createJobRunner({
    store,
    queue,
    snapshots,
    environment,
    clock,
    publish: notices.publish,
    wroteHeaders: elsewhere.wroteHere,
    leaseMs: dependencies.leaseMs ?? 2_000,
    cache: { states: dependencies.cachedJobs ?? 2_000, bytes: dependencies.cachedBytes ?? 64_000_000 },
  });
  const { calls, callers } = dependencies;
  const work = createWorkRunner({ store, clock, queue, runner, snapshots, environment, calls, callers });
  const workers = createWorkerSwitches({
    store,
    clock,
    logger: dependencies.logger,
    onChange: () => queue.holdBack(waitingKinds(workers)),
  });
  const canStart = () => workers.isRunning("jobWorker");
  const jobs = createJobService({ store, runner, snapshots, notices, clock, identifiers, canStart });
  return {
    jobs,
    manualTasks: createManualTaskService(store, jobs, callers),
    notices,
    workers,
    async start() {
      elsewhere.start();
      await workers.start();
      await queue.start(work);
    },
    async stop(graceMs) {
      await queue.stop(graceMs);
      workers.stop();
      elsewhere.stop();
    },
  };
}
