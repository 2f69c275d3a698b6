import type { Clock } from "./core/clock.ts";
import { isJsonObject } from "./core/json.ts";
import type { Logger } from "./core/logger.ts";
import { TaskError, type TaskResult } from "./core/task.ts";
import { WorkerPoolError, type WorkerPool } from "./worker-pool/index.ts";
import { errorResult, type HeavyTasks } from "./workflow-engine/index.ts";

/** Computes heavy tasks in the workers of the pool. What the pool cannot take now is thrown, to be tried again. */
export function createHeavyTasks(pool: WorkerPool, clock: Clock, logger: Logger): HeavyTasks {
  const concluded = async (origin: string, work: () => Promise<TaskResult>): Promise<TaskResult> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof WorkerPoolError) throw error;
      if (error instanceof TaskError) return errorResult(origin, error.message);
      logger.error("a task failed unexpectedly in its worker", { task: origin, error: String(error) });
      return errorResult(origin, "The task failed for a reason inside the platform");
    }
  };
  return {
    run: ({ name, incoming, key, origin }) =>
      concluded(origin, () => pool.run("runTask", { name, incoming, now: clock.now() }, { key })),
    transform: ({ document, incoming, key, origin }) =>
      concluded(origin, async () => {
        const { variableMap, options } = incoming;
        const values = isJsonObject(variableMap) ? variableMap : {};
        const work = { document, incoming: values, options, now: clock.now() };
        return { finishState: "success", outgoing: await pool.run("runTransformation", work, { key }) };
      }),
  };
}
