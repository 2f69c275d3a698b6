import type { Task } from "../core/task.ts";

/** Finds tasks of a library by the names workflows use. */
export interface TaskCatalog {
  tasks: readonly Task[];
  /**
   * The task of this name. Where there is none, the only one that goes by `canvasName`: people have
   * edited names in real documents (tasks-and-transformations.md §1).
   */
  find(name: string, canvasName?: string): Task | undefined;
}

/** A catalog of tasks of one application, whose names must be unique. */
export function createTaskCatalog(tasks: readonly Task[]): TaskCatalog {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  if (byName.size < tasks.length) throw new Error("Two tasks of the library have the same name");
  const findByCanvasName = (canvasName: string): Task | undefined => {
    const candidates = tasks.filter((task) => task.canvasName === canvasName);
    return byName.get(canvasName) ?? (candidates.length === 1 ? candidates[0] : undefined);
  };
  return {
    tasks,
    find: (name, canvasName) =>
      byName.get(name) ?? (canvasName === undefined ? undefined : findByCanvasName(canvasName)),
  };
}
