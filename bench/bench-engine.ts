import { join } from "node:path";
import { systemCaller } from "../src/core/caller.ts";
import { createSystemClock, type Clock } from "../src/core/clock.ts";
import { createIdentifiers } from "../src/core/identifiers.ts";
import { silentLogger } from "../src/core/logger.ts";
import type { Store, StoreLocation } from "../src/store/index.ts";
import { createTaskCatalog, taskLibrary } from "../src/task-library/index.ts";
import { createTransformer } from "../src/transformations/create-transformer.ts";
import { createDispatcher } from "../src/work-queue/dispatcher/dispatcher.ts";
import { createEngine, type Engine, type TaskCaller } from "../src/workflow-engine/index.ts";
import { queryPath } from "../src/workflow-engine/interpreter/query-path.ts";
import { compileRegularExpression } from "../src/workflow-engine/interpreter/regular-expression.ts";
import type { WorkflowDocument } from "../src/workflow-engine/workflow-schema.ts";

/** A workflow engine without the platform around it: what costs a job is then seen alone. */
export interface BenchEngine {
  engine: Engine;
  /** Stores a workflow as it is. */
  keep(workflow: WorkflowDocument): Promise<void>;
  /** Starts a job and resolves with it once it is at rest. */
  run(workflow: string, variables: Record<string, unknown>): Promise<{ status: string; variables: object }>;
  /** Starts a job and resolves once it is stored. */
  start(workflow: string, variables: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
}

const longestRunMs = 60_000;

/** An engine over a store that it does not close. `calls` performs the tasks that leave the engine. */
export async function startBenchEngine(store: Store, calls: TaskCaller, clock?: Clock): Promise<BenchEngine> {
  const time = clock ?? createSystemClock();
  const environment = { now: () => time.now(), random: Math.random, query: queryPath, compileRegularExpression };
  const engine = createEngine({
    store,
    queue: createDispatcher({ store, clock: time, logger: silentLogger }),
    clock: time,
    identifiers: createIdentifiers(time),
    logger: silentLogger,
    calls,
    callers: {
      byAccountId: async () => systemCaller,
      byUsername: async () => systemCaller,
      renew: async () => systemCaller,
    },
    library: {
      findTask: createTaskCatalog(taskLibrary).find,
      transform: createTransformer(environment),
      effort: { spent: 0 },
    },
    findErrors: async () => [],
    random: Math.random,
  });
  await engine.start();
  // Neither the clock's timers nor the store's threads keep a process alive that waits for a job.
  const alive = setInterval(() => undefined, 60_000);
  const begin = (workflow: string, variables: Record<string, unknown>, waitMs: number) =>
    engine.jobs.start(workflow, { variables }, systemCaller, waitMs);
  return {
    engine,
    keep: (workflow) =>
      store.commit([{ kind: "put", collection: "workflows", document: { _id: workflow.name, ...workflow } }]),
    run: async (workflow, variables) => (await begin(workflow, variables, longestRunMs)).state,
    start: async (workflow, variables) => (await begin(workflow, variables, 0)).state.origin._id,
    async stop() {
      await engine.stop();
      clearInterval(alive);
    },
  };
}

/** A SQLite file in a folder, or the database of `databaseUrl`. */
export function benchLocation(folder: string, databaseUrl: string | undefined): StoreLocation {
  return databaseUrl === undefined
    ? { kind: "sqlite", file: join(folder, "linewright.db") }
    : { kind: "postgres", url: databaseUrl };
}

/** Tasks that nobody calls. */
export const noCalls: TaskCaller = {
  call: async ({ task }) => ({ finishState: "error", outgoing: {}, error: `nobody performs ${task.name}` }),
};
