import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import { error, warning, type Finding, type Validation } from "./validate-workflow-findings.ts";
import { optionProblems, taskOptions, type TaskOptions } from "./task-options.ts";
import { edgesFrom, edgesInto, reachableTasks } from "./workflow-graph.ts";

interface CheckedOptions {
  id: string;
  task: WorkflowTask;
  options: TaskOptions;
}

/** Problems of the options by which tasks steer the flow: malformed ones, and what cannot work. */
export function optionFindings(validation: Validation): Finding[] {
  const { tasks } = validation.workflow;
  const used = new Map<string, string>();
  return Object.entries(tasks).flatMap(([id, task]) => {
    const checked = { id, task, options: taskOptions(task) };
    return [
      ...optionProblems(task).map(({ path, message }) => error(id, `/tasks/${id}${path}: ${message}`)),
      ...joinFindings(validation, checked),
      ...lockFindings(checked),
      ...loopFindings(checked),
      ...compensationFindings(validation, checked, used),
    ];
  });
}

function joinFindings({ workflow, graph }: Validation, { id, options }: CheckedOptions): Finding[] {
  const { join, cancelsUpstream, cancels } = options;
  const entering = edgesInto(graph, id).length;
  const findings: Finding[] = [];
  if (join !== undefined && join > entering)
    findings.push(error(id, `/tasks/${id}/join: asks for ${join} transitions, but only ${entering} lead to the task`));
  if (cancelsUpstream && join === undefined)
    findings.push(error(id, `/tasks/${id}/cancelOthers: true needs a join of "any" or a number`));
  return [...findings, ...cancels.flatMap((other, index) => canceledFinding(workflow.tasks, { id, other, index }))];
}

function canceledFinding(
  tasks: Readonly<Record<string, unknown>>,
  { id, other, index }: { id: string; other: string; index: number },
): Finding[] {
  const path = `/tasks/${id}/cancelOthers/${index}`;
  if (!Object.hasOwn(tasks, other)) return [error(id, `${path}: there is no task '${other}'`)];
  const isFixed = other === startTaskId || other === endTaskId;
  if (isFixed || other === id) return [error(id, `${path}: task '${other}' cannot be canceled by this one`)];
  return [];
}

function lockFindings({ id, options }: CheckedOptions): Finding[] {
  const isFixed = id === startTaskId || id === endTaskId;
  return options.lock && isFixed ? [error(id, `/tasks/${id}/lock: this task cannot have a lock`)] : [];
}

function loopFindings({ id, task, options }: CheckedOptions): Finding[] {
  if (!options.loop) return [];
  const path = `/tasks/${id}/loop`;
  const loopType = task.variables?.incoming?.["loopType"];
  if (task.name !== "childJob" || loopType === "" || loopType === undefined)
    return [error(id, `${path}: only a childJob task with a loopType has a loop of child jobs`)];
  const isIdle = options.loop.maxParallel !== undefined && loopType === "sequential";
  return isIdle ? [warning(id, `${path}/maxParallel: a sequential loop runs one child job at a time anyway`)] : [];
}

/** `used`: who undoes whom among the tasks before. */
function compensationFindings(
  { workflow, graph }: Validation,
  { id, options }: CheckedOptions,
  used: Map<string, string>,
): Finding[] {
  const { compensation } = options;
  if (compensation === undefined) return [];
  const say = (message: string): Finding[] => [error(id, `/tasks/${id}/compensation: ${message}`)];
  const by = Object.hasOwn(workflow.tasks, compensation) ? workflow.tasks[compensation] : undefined;
  if (!by) return say(`there is no task '${compensation}'`);
  if ([id, startTaskId, endTaskId].includes(compensation)) return say(`task '${compensation}' cannot undo this one`);
  if (taskOptions(by).compensation !== undefined) return say(`task '${compensation}' has a compensation itself`);
  const isPart = reachableTasks(graph).has(compensation) || edgesFrom(graph, compensation).length > 0;
  if (isPart) return say(`no transition may lead to or from task '${compensation}'`);
  const other = used.get(compensation);
  used.set(compensation, id);
  return other === undefined ? [] : say(`task '${compensation}' undoes task '${other}' already`);
}
