import type { Clock } from "../core/clock.ts";
import { derivedDocumentId, type Identifiers } from "../core/identifiers.ts";
import type { Logger } from "../core/logger.ts";
import type { Store } from "../store/store.ts";
import type { WorkQueue } from "../work-queue/work-queue.ts";
import type { Environment } from "./interpreter/draft.ts";
import { createJobNotices, type JobNotices } from "./jobs/job-notices.ts";
import { createJobRunner } from "./jobs/job-runner.ts";
import { createJobService, type JobService } from "./jobs/job-service.ts";
import { createManualTaskService, type ManualTaskService } from "./jobs/manual-task-service.ts";
import type { CallerDirectory, TaskCaller } from "./jobs/task-calls.ts";
import { createWorkRunner } from "./jobs/work-runner.ts";
import { createWorkflowSnapshots, type FindErrors } from "./jobs/workflow-snapshots.ts";

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
  cachedJobs?: number;
}

/** A node's workflow engine. */
export interface Engine {
  jobs: JobService;
  manualTasks: ManualTaskService;
  notices: JobNotices;
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
  const runner = createJobRunner({
    store,
    queue,
    snapshots,
    environment,
    clock,
    publish: notices.publish,
    leaseMs: dependencies.leaseMs ?? 2_000,
    cachedJobs: dependencies.cachedJobs ?? 2_000,
  });
  const { calls, callers } = dependencies;
  const work = createWorkRunner({ store, queue, runner, snapshots, environment, calls, callers });
  const jobs = createJobService({ store, runner, snapshots, notices, clock, identifiers });
  return {
    jobs,
    manualTasks: createManualTaskService(store, jobs, callers),
    notices,
    start: () => queue.start(work),
    stop: (graceMs) => queue.stop(graceMs),
  };
}
