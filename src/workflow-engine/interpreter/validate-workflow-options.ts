import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import { finding, type Finding, type Validation } from "./validate-workflow-findings.ts";
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
      ...optionProblems(task).map(({ path, message }) =>
        finding("malformed-option", id, { path: `/tasks/${id}${path}`, problem: message }),
      ),
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
    findings.push(finding("join-too-large", id, { path: `/tasks/${id}/join`, count: join, entering }));
  if (cancelsUpstream && join === undefined)
    findings.push(finding("cancel-without-join", id, { path: `/tasks/${id}/cancelOthers` }));
  return [...findings, ...cancels.flatMap((other, index) => canceledFinding(workflow.tasks, { id, other, index }))];
}

function canceledFinding(
  tasks: Readonly<Record<string, unknown>>,
  { id, other, index }: { id: string; other: string; index: number },
): Finding[] {
  const path = `/tasks/${id}/cancelOthers/${index}`;
  if (!Object.hasOwn(tasks, other)) return [finding("unknown-canceled-task", id, { path, other })];
  const isFixed = other === startTaskId || other === endTaskId;
  if (isFixed || other === id) return [finding("uncancelable-task", id, { path, other })];
  return [];
}

function lockFindings({ id, options }: CheckedOptions): Finding[] {
  const isFixed = id === startTaskId || id === endTaskId;
  return options.lock && isFixed ? [finding("misplaced-lock", id, { path: `/tasks/${id}/lock` })] : [];
}

function loopFindings({ id, task, options }: CheckedOptions): Finding[] {
  if (!options.loop) return [];
  const path = `/tasks/${id}/loop`;
  const loopType = task.variables?.incoming?.["loopType"];
  if (task.name !== "childJob" || loopType === "" || loopType === undefined)
    return [finding("misplaced-loop", id, { path })];
  const isIdle = options.loop.maxParallel !== undefined && loopType === "sequential";
  return isIdle ? [finding("idle-loop-limit", id, { path })] : [];
}

/** `used`: who undoes whom among the tasks before. */
function compensationFindings(
  { workflow, graph }: Validation,
  { id, options }: CheckedOptions,
  used: Map<string, string>,
): Finding[] {
  const { compensation } = options;
  if (compensation === undefined) return [];
  const place = { path: `/tasks/${id}/compensation`, by: compensation };
  const by = Object.hasOwn(workflow.tasks, compensation) ? workflow.tasks[compensation] : undefined;
  if (!by) return [finding("unknown-compensation", id, place)];
  if ([id, startTaskId, endTaskId].includes(compensation)) return [finding("impossible-compensation", id, place)];
  if (taskOptions(by).compensation !== undefined) return [finding("nested-compensation", id, place)];
  const isPart = reachableTasks(graph).has(compensation) || edgesFrom(graph, compensation).length > 0;
  if (isPart) return [finding("connected-compensation", id, place)];
  const other = used.get(compensation);
  used.set(compensation, id);
  return other === undefined ? [] : [finding("shared-compensation", id, { ...place, other })];
}
