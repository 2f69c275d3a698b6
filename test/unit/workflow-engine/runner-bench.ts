import type { Clock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Store } from "../../../src/store/store.ts";
import { createDispatcher } from "../../../src/work-queue/dispatcher/dispatcher.ts";
import type { CacheBounds } from "../../../src/workflow-engine/jobs/job-cache.ts";
import { EngineTopics } from "../../../src/workflow-engine/jobs/engine-topics.ts";
import { createJobRunner, type Creation, type JobRunner } from "../../../src/workflow-engine/jobs/job-runner.ts";
import {
  createWorkflowSnapshots,
  type PreparedWorkflow,
} from "../../../src/workflow-engine/jobs/workflow-snapshots.ts";
import type { JobOrigin } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { plainEnvironment, tester } from "../../support/simulated-job.ts";

/** The job runner of a node whose work queue stands still. */
export interface RunnerNode {
  runner: JobRunner;
  /** Creates a job of a stored workflow. */
  start(workflow: string, jobId: string, variables?: Record<string, unknown>, creation?: Creation): Promise<void>;
}

export function createRunnerNode(
  store: Store,
  clock: Clock,
  cache: CacheBounds = { states: 2_000, bytes: 64_000_000 },
): RunnerNode {
  const queue = createDispatcher({ store, clock, logger: silentLogger });
  const snapshots = createWorkflowSnapshots(store, async () => []);
  const environment = plainEnvironment;
  const publish = () => undefined;
  const wroteHeaders = () => undefined;
  const told = () => undefined;
  const engineTopics = new EngineTopics({ store, clock, logger: silentLogger });
  const settings = { leaseMs: 2_000, cache, metricSlot: "0", told, engineTopics };
  const services = { store, queue, snapshots, environment, clock, publish, wroteHeaders, ...settings };
  const runner = createJobRunner(services);
  return {
    runner,
    async start(workflow, jobId, variables = {}, creation = {}) {
      const prepared = await snapshots.prepare(workflow);
      if (!prepared || !("hash" in prepared)) throw new Error(`workflow ${workflow} is not there`);
      await runner.create(originOf(prepared, jobId, variables), prepared, creation);
    },
  };
}

function originOf(prepared: PreparedWorkflow, jobId: string, variables: Record<string, unknown>): JobOrigin {
  const { workflow } = prepared.compiled.snapshot;
  return {
    _id: jobId,
    snapshot: prepared.hash,
    workflowId: workflow._id ?? "",
    name: workflow.name,
    variables,
    initiator: tester,
    groups: [],
    ancestors: [],
  };
}
