import { TaskError, type TaskResult } from "../../core/task.ts";
import type { Environment } from "../interpreter/draft.ts";
import { thrownResult } from "../interpreter/task-error.ts";
import { runDocument } from "../interpreter/transformation-task.ts";
import type { Clock } from "../../core/clock.ts";
import type { HeavyTasks } from "./task-calls.ts";

/** Computes heavy tasks on the event loop, for engines without workers. */
export function heavyInPlace(environment: Omit<Environment, "childJobId">, clock: Clock): HeavyTasks {
  const concluded = async (origin: string, work: () => TaskResult | Promise<TaskResult>): Promise<TaskResult> => {
    try {
      return await work();
    } catch (error) {
      return thrownResult(origin, error);
    }
  };
  return {
    run: ({ name, incoming, origin }) =>
      concluded(origin, async () => {
        const task = environment.findTask(name);
        const run = task?.run ?? (await task?.loadRun?.());
        if (!run) throw new TaskError(`Method not found: ${origin}`);
        return run(incoming, { now: clock.now(), random: environment.random, isInWorker: true });
      }),
    transform: ({ document, incoming, origin }) =>
      concluded(origin, () => runDocument(environment, document, incoming)),
  };
}
