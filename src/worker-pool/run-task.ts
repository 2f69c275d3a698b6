import { TaskError, type TaskResult } from "../core/task.ts";
import { createTaskCatalog, taskLibrary } from "../task-library/index.ts";
import type { PoolContext } from "./pool-work.ts";

/** A task of the engine's library with its resolved arguments. */
export interface TaskWork {
  name: string;
  incoming: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  now: number;
}

const catalog = createTaskCatalog(taskLibrary);

/** Runs a task of the library in a worker. TaskError when it refuses its arguments. */
export async function runTask({ name, incoming, now }: TaskWork, { random }: PoolContext): Promise<TaskResult> {
  const task = catalog.find(name);
  const run = task?.run ?? (await task?.loadRun?.());
  if (!run) throw new TaskError(`Method not found: WorkFlowEngine.${name}`);
  return run(incoming, { now, random, isInWorker: true });
}
