import type { Clock } from "../../src/core/clock.ts";
import { systemCaller } from "../../src/core/caller.ts";
import { PlatformError } from "../../src/core/errors.ts";
import { createIdentifiers } from "../../src/core/identifiers.ts";
import { silentLogger, type Logger } from "../../src/core/logger.ts";
import type { TaskResult } from "../../src/core/task.ts";
import type { Store } from "../../src/store/store.ts";
import { createTaskCatalog, taskLibrary } from "../../src/task-library/index.ts";
import { createTransformer } from "../../src/transformations/create-transformer.ts";
import { createDispatcher } from "../../src/work-queue/dispatcher/dispatcher.ts";
import { createEngine, type Engine } from "../../src/workflow-engine/engine.ts";
import type { RetentionSettings } from "../../src/workflow-engine/jobs/retention.ts";
import type { TaskCall, TaskCaller } from "../../src/workflow-engine/jobs/task-calls.ts";
import { queryPath } from "../../src/workflow-engine/interpreter/query-path.ts";
import { compileRegularExpression } from "../../src/workflow-engine/interpreter/regular-expression.ts";
import { decide, type Decision, type OpenTask } from "../faults/person.ts";
import { earlyTopic, eventSource, keptForSeconds, publishOnce, type Acknowledged } from "../faults/publisher.ts";
import { variablesOf, withWindow, type Shape } from "../faults/shape.ts";
import { laterWork, workOfJobs } from "../faults/later-work.ts";
import { faultWorkflows, transformation } from "../faults/shapes.ts";
import { Cleaner } from "./cleaner.ts";
import type { EffectsLedger } from "./effects-ledger.ts";
import { reachingQueue, type Reach } from "./points.ts";

export interface EngineNodeOptions {
  store: Store;
  ledger: EffectsLedger;
  /** Topics whose events were acknowledged. */
  published: Acknowledged;
  clock: Clock;
  logger?: Logger;
  /** How long finished jobs are kept. Default: for ever. */
  retention?: RetentionSettings | undefined;
  /** Default: 2,000, as in the product. */
  leaseMs?: number;
  /** How long the outside takes for an effect, at most. Default: 5. */
  longestEffectMs?: number;
  /** Told of every moment at which a process may be killed. */
  reach?: Reach;
}

/** Store, work queue and engine of a node, without its API. */
export interface EngineNode {
  engine: Engine;
  /** Writes the workflows of the laboratory, unless they are there, and begins to work. */
  open(): Promise<void>;
  /** Identifier of the job, which is durable by then. */
  startJob(shape: Shape, description: string): Promise<string>;
  /** Works every open manual task, and publishes what tasks wait for; answers the identifiers of the iterations that were finished by it. */
  workManualTasks(): Promise<string[]>;
  /** Deletes what a person deletes, on a node that keeps jobs for a time only; `deleted` is told after each answer. */
  clean(deleted: (jobId: string) => void): Promise<void>;
  /** Jobs that have not ended or ought to be gone, and work items that are left of them; `withLater`: also those that take away what is kept for a while. */
  unfinished(withLater: boolean): Promise<number>;
  close(): Promise<void>;
}

const defaults = { logger: silentLogger, leaseMs: 2_000, longestEffectMs: 5 };

/** Puts the engine of a node together, on any store. */
export function createEngineNode(options: EngineNodeOptions): EngineNode {
  const { store, ledger, clock, logger, leaseMs, longestEffectMs } = { ...defaults, ...options };
  const catalog = createTaskCatalog(taskLibrary);
  const dispatcher = createDispatcher({ store, clock, logger, leaseMs });
  const queue = options.reach ? reachingQueue(dispatcher, options.reach) : dispatcher;
  const now = () => clock.now();
  const engine = createEngine({
    store,
    queue,
    clock,
    logger,
    identifiers: createIdentifiers(clock),
    random: Math.random,
    calls: createOutside({ ledger, clock, longestEffectMs, reach: options.reach }),
    callers: {
      byAccountId: async () => systemCaller,
      byUsername: async () => systemCaller,
      renew: async () => systemCaller,
    },
    library: {
      findTask: catalog.find,
      transform: createTransformer({ now, random: Math.random, query: queryPath, compileRegularExpression }),
      effort: { spent: 0 },
    },
    findErrors: async () => [],
    leaseMs,
    retention: options.retention,
  });
  const outside: People = { store, engine, clock, published: options.published, reach: options.reach };
  const cleaner = new Cleaner(store, engine);
  return {
    engine,
    async open() {
      await store.commit([
        ...faultWorkflows(clock.now()).map(
          (workflow) =>
            ({ kind: "keep", collection: "workflows", document: { ...workflow, _id: workflow.name } }) as const,
        ),
        { kind: "keep", collection: "transformations", document: transformation },
      ]);
      await engine.start();
    },
    async startJob(shape, description) {
      await prepareStart(outside, shape, description);
      const variables = variablesOf(shape, description);
      const { state } = await engine.jobs.start(shape.workflow.name, { description, variables }, systemCaller);
      return state.origin._id;
    },
    workManualTasks: () => workManualTasks(outside),
    clean: async (deleted) => (options.retention ? cleaner.clean(deleted) : undefined),
    async unfinished(withLater) {
      const old = options.retention ? await cleaner.left(clock, options.retention) : 0;
      const open = await store.count("jobs", { status: { $nin: ["complete", "canceled"] } });
      const later = withLater ? await laterWork(store) : [];
      return open + old + (await workOfJobs(store, 1)).length + later.filter(({ kind }) => kind !== "retention").length;
    },
    async close() {
      await engine.stop();
      await store.close();
      ledger.close();
    },
  };
}

interface Outside {
  ledger: EffectsLedger;
  clock: Clock;
  longestEffectMs: number;
  reach: Reach | undefined;
}

/** What lies outside the engine: devices that answer after a moment, and remember. */
function createOutside({ ledger, clock, longestEffectMs, reach }: Outside): TaskCaller {
  return {
    async call({ incoming, idempotencyKey }: TaskCall): Promise<TaskResult> {
      const pause = () => new Promise<void>((resolve) => void clock.after(Math.random() * longestEffectMs, resolve));
      await pause();
      reach?.("before an effect");
      ledger.record(idempotencyKey, incoming, clock.now());
      reach?.("after an effect");
      await pause();
      const { limit } = incoming["options"] as { limit: number };
      if (limit < 1) return { finishState: "error", outgoing: {}, error: "limit must be 1 at least" };
      return { finishState: "success", outgoing: { result: [] } };
    },
  };
}

/** Who works with the engine of a node from outside. */
interface People {
  store: Store;
  engine: Engine;
  clock: Clock;
  published: Acknowledged;
  reach: Reach | undefined;
}

/** Publishes what the job is to find, and lets its run window open soon. */
async function prepareStart(people: People, shape: Shape, description: string): Promise<void> {
  const { store, clock } = people;
  const early = earlyTopic(shape, description);
  if (early !== undefined) await publish(people, early);
  if (shape.windowInMs === undefined) return;
  const { name } = shape.workflow;
  const workflow = withWindow(shape.workflow, clock.now() + shape.windowInMs);
  await store.commit([{ kind: "put", collection: "workflows", document: { ...workflow, _id: name } }]);
}

async function publish({ engine, published, reach }: People, topic: string): Promise<void> {
  const isDone = await publishOnce(topic, published, async (event) => {
    await engine.events.publish({ ...event, source: eventSource, keepForSeconds: keptForSeconds }, systemCaller);
    reach?.("before acknowledging an event");
  });
  if (isDone) reach?.("after acknowledging an event");
}

async function workManualTasks(people: People): Promise<string[]> {
  const query = { $or: [{ type: "manual" }, { name: "eventListenerJob" }] };
  const tasks = await people.store.find<OpenTask>("tasks", query, { limit: 200 });
  const finished: string[] = [];
  for (const task of tasks) {
    for (const decision of decide(task)) if (await carryOut(people, task, decision)) finished.push(task._id);
  }
  return finished;
}

/** True when the task was finished. */
async function carryOut(people: People, task: OpenTask, decision: Decision): Promise<boolean> {
  const { engine } = people;
  try {
    if ("publish" in decision) await publish(people, decision.publish);
    else if ("cancel" in decision) {
      const by = { accountId: systemCaller.accountId, username: systemCaller.username };
      await engine.jobs.apply(decision.cancel, { event: "cancel", by }, systemCaller);
    } else {
      await engine.manualTasks.finish(task.job._id, task._id, { finish_state: decision.finish }, systemCaller);
      return true;
    }
  } catch (error) {
    // The row is older than what became of the task: done already, or its job was canceled.
    if (!(error instanceof PlatformError)) throw error;
  }
  return false;
}
