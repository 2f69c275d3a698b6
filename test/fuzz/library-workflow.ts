import type { Task } from "../../src/core/task.ts";
import { taskLibrary } from "../../src/task-library/index.ts";
import { workflowOf } from "../support/workflow-builder.ts";
import { hostileValue } from "./hostile-values.ts";
import { mutate } from "./mutate.ts";
import type { Random } from "./random.ts";

const mostTasks = 6;

/**
 * A workflow that is right as a document and odd in what its tasks are given: tasks of the library in
 * a row, their arguments from their own examples, changed or hostile.
 */
export function libraryWorkflow(random: Random): Record<string, unknown> {
  const count = 1 + random.below(mostTasks);
  const ids = Array.from({ length: count }, (_, index) => `a${index}`);
  const tasks = Object.fromEntries(
    ids.map((id, index) => {
      const task = random.pick(taskLibrary);
      const { name, app, type } = task;
      const outgoing = Object.fromEntries(task.outgoing.map((one) => [one.name, `$var.job.out${index}`]));
      return [id, { name, app, type, incoming: argumentsOf(task, random, index), outgoing, ...viewOf(task) }];
    }),
  );
  // An edge per finish state, each to a task of its own: between two tasks there is one edge.
  const edges = ids.flatMap((id, index) => [
    `${id} > ${ids[index + 1] ?? "end"}`,
    ...(index + 2 < count ? [`${id} >error> ${ids[index + 2] ?? "end"}`] : []),
    ...(index + 3 < count ? [`${id} >failure> ${ids[index + 3] ?? "end"}`] : []),
  ]);
  return { ...workflowOf("fuzz library", tasks, ["start > a0", ...edges]) };
}

function argumentsOf(task: Task, random: Random, index: number): Record<string, unknown> {
  const example = task.examples.length > 0 ? random.pick(task.examples) : undefined;
  const values: Record<string, unknown> = structuredClone({ ...example?.incoming });
  for (const { name, isOptional } of task.incoming) {
    if (!Object.hasOwn(values, name) && !isOptional) values[name] = hostileValue(random);
    if (random.chance(0.25)) values[name] = hostileValue(random);
    if (index > 0 && random.chance(0.1)) values[name] = `$var.job.out${random.below(index)}`;
  }
  return random.chance(0.1) ? mutate(values, random, 1) : values;
}

function viewOf({ view }: Task): { view?: string } {
  return view === undefined ? {} : { view };
}
