import { systemCaller } from "../../src/core/caller.ts";
import type { Clock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { TaskResult } from "../../src/core/task.ts";
import type { Store } from "../../src/store/store.ts";
import { createTaskCatalog, taskLibrary } from "../../src/task-library/index.ts";
import { createTransformer } from "../../src/transformations/create-transformer.ts";
import { createDispatcher } from "../../src/work-queue/dispatcher/dispatcher.ts";
import type { WorkQueue } from "../../src/work-queue/work-queue.ts";
import { createEngine, type Engine, type EngineDependencies, type TaskCall } from "../../src/workflow-engine/index.ts";
import { queryPath } from "../../src/workflow-engine/interpreter/query-path.ts";
import { compileRegularExpression } from "../../src/workflow-engine/interpreter/regular-expression.ts";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import type { ManualClock } from "./manual-clock.ts";

/** A node without its API: an engine and the queue that drives it. */
export interface EngineNode {
  engine: Engine;
  queue: WorkQueue;
}

export interface NodeParts extends Partial<
  Pick<EngineDependencies, "cachedJobs" | "cachedBytes" | "identifiers" | "largestValue" | "retention">
> {
  store: Store;
  clock: Clock;
  /** What lies outside the engine. Default: success with `{ result: incoming }`. */
  call?: (call: TaskCall) => Promise<TaskResult>;
  /** Makes identifiers of jobs. Nodes on one store share it. */
  documentId?: () => string;
}

export const leaseMs = 2_000;

/** Makes a node on a store. It works once its engine is started. */
export function createEngineNode(parts: NodeParts): EngineNode {
  const { store, clock, call = echo, documentId = createCounter(), ...bounds } = parts;
  const queue = createDispatcher({ store, clock, logger: silentLogger, leaseMs });
  const library = createTaskCatalog(taskLibrary);
  const random = () => 0.5;
  const engine = createEngine({
    store,
    queue,
    clock,
    logger: silentLogger,
    // A node draws UUIDs for itself alone: identifiers of jobs are the same however many nodes there are.
    identifiers: { documentId, uuid: createCounter(), secret: documentId },
    calls: { call },
    callers: {
      byAccountId: async () => systemCaller,
      byUsername: async () => systemCaller,
      renew: async () => systemCaller,
    },
    library: {
      findTask: library.find,
      transform: createTransformer({ now: () => clock.now(), random, query: queryPath, compileRegularExpression }),
      effort: { spent: 0 },
    },
    findErrors: async () => [],
    random,
    leaseMs,
    ...bounds,
  });
  return { engine, queue };
}

/** Identifiers of documents in order: the same in every run. */
export function createCounter(): () => string {
  let last = 0;
  return () => `65920000${(++last).toString(16).padStart(16, "0")}`;
}

async function echo({ incoming }: TaskCall): Promise<TaskResult> {
  return { finishState: "success", outgoing: { result: incoming } };
}

/** Stores workflows as they are. */
export async function storeWorkflows(store: Store, workflows: readonly WorkflowDocument[]): Promise<void> {
  await store.commit(
    workflows.map((workflow) => ({
      kind: "put",
      collection: "workflows",
      document: { _id: `workflow ${workflow.name}`, ...workflow },
    })),
  );
}

/** Resolves when no node has anything to do before time passes. */
export async function allIdle(nodes: readonly EngineNode[]): Promise<void> {
  // The work of one may be what another waits for.
  for (let round = 0; round < 3; round++) for (const { queue } of nodes) await queue.idle();
}

const stepMs = 500;

/** Lets time pass, and the nodes do what it brings, step by step. */
export async function passTime(clock: ManualClock, nodes: readonly EngineNode[], ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
    await clock.advance(Math.min(stepMs, leftMs));
    await allIdle(nodes);
  }
}
