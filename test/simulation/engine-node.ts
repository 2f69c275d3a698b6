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
import type { TaskCall, TaskCaller } from "../../src/workflow-engine/jobs/task-calls.ts";
import { queryPath } from "../../src/workflow-engine/interpreter/query-path.ts";
import { compileRegularExpression } from "../../src/workflow-engine/interpreter/regular-expression.ts";
import { decide, type OpenTask } from "../faults/person.ts";
import type { Shape } from "../faults/shape.ts";
import { faultWorkflows, transformation } from "../faults/shapes.ts";
import type { EffectsLedger } from "./effects-ledger.ts";
import { reachingQueue, type Reach } from "./points.ts";

export interface EngineNodeOptions {
  store: Store;
  ledger: EffectsLedger;
  clock: Clock;
  logger?: Logger;
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
  /** Works every open manual task; answers the identifiers of the iterations that were finished by it. */
  workManualTasks(): Promise<string[]>;
  /** Jobs that have not ended and work items that are left. */
  unfinished(): Promise<number>;
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
    },
    findErrors: async () => [],
    leaseMs,
  });
  return {
    engine,
    async open() {
      await store.commit([
        ...faultWorkflows.map(
          (workflow) =>
            ({ kind: "keep", collection: "workflows", document: { ...workflow, _id: workflow.name } }) as const,
        ),
        { kind: "keep", collection: "transformations", document: transformation },
      ]);
      await engine.start();
    },
    async startJob({ workflow, variables }, description) {
      const { state } = await engine.jobs.start(workflow.name, { description, variables }, systemCaller);
      return state.origin._id;
    },
    workManualTasks: () => workManualTasks(store, engine),
    async unfinished() {
      const open = await store.count("jobs", { status: { $nin: ["complete", "canceled"] } });
      return open + (await store.workItems("", 1)).length;
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

async function workManualTasks(store: Store, engine: Engine): Promise<string[]> {
  const tasks = await store.find<OpenTask>("tasks", { type: "manual" }, { limit: 100 });
  const finished: string[] = [];
  for (const task of tasks) {
    const decision = decide(task);
    try {
      if ("cancel" in decision) {
        const by = { accountId: systemCaller.accountId, username: systemCaller.username };
        await engine.jobs.apply(decision.cancel, { event: "cancel", by }, systemCaller);
      } else {
        await engine.manualTasks.finish(task.job._id, task._id, { finish_state: decision.finish }, systemCaller);
        finished.push(task._id);
      }
    } catch (error) {
      // The row is older than what became of the task: done already, or its job was canceled.
      if (!(error instanceof PlatformError)) throw error;
    }
  }
  return finished;
}
