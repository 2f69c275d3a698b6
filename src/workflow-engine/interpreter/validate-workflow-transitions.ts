import { endTaskId, startTaskId } from "../workflow-schema.ts";
import { taskOptions } from "./task-options.ts";
import { finding, type Finding, type Validation } from "./validate-workflow-findings.ts";
import {
  downstreamOf,
  edgesFrom,
  isStandard,
  reachableTasks,
  tasksOnStandardCycles,
  type Edge,
} from "./workflow-graph.ts";

/** Problems of the transitions: dangling, cyclic, wrongly reverting, and tasks that can never run. */
export function transitionFindings(validation: Validation): Finding[] {
  const missing = [startTaskId, endTaskId].filter((id) => !Object.hasOwn(validation.workflow.tasks, id));
  return [
    ...missing.map((id) => finding("missing-fixed-task", id, { id })),
    ...danglingFindings(validation),
    ...tasksOnStandardCycles(validation.graph).map((id) => finding("standard-cycle", id, {})),
    ...validation.graph.taskIds.flatMap((id) => revertFindings(validation, id)),
    ...unreachableFindings(validation),
  ];
}

function danglingFindings({ workflow, graph }: Validation): Finding[] {
  return graph.taskIds.flatMap((id) => {
    if (!Object.hasOwn(workflow.transitions, id)) return [finding("missing-transitions", id, {})];
    const targets = Object.keys(workflow.transitions[id] ?? {});
    return targets
      .filter((target) => !Object.hasOwn(workflow.tasks, target))
      .map((target) => finding("missing-target", id, { target }));
  });
}

function revertFindings({ graph }: Validation, id: string): Finding[] {
  const edges = edgesFrom(graph, id);
  const reverts = edges.filter((edge) => !isStandard(edge));
  const forward = reverts.filter((edge) => !downstreamOf(graph, [edge.to]).has(id));
  return [
    ...forward.map((edge) => finding("forward-revert", id, { target: edge.to })),
    ...[...conflictingStates(edges, reverts)].map((state) => finding("conflicting-transitions", id, { state })),
  ];
}

function conflictingStates(edges: readonly Edge[], reverts: readonly Edge[]): Set<string> {
  const states = new Set(edges.filter(isStandard).map((edge) => edge.state));
  return new Set(reverts.map((edge) => edge.state).filter((state) => states.has(state)));
}

/** Tasks that undo others are come to by no transition. */
function undoingTasks({ workflow }: Validation): Set<string | undefined> {
  return new Set(Object.values(workflow.tasks).map((task) => taskOptions(task).compensation));
}

function unreachableFindings(validation: Validation): Finding[] {
  const { workflow, graph } = validation;
  if (!Object.hasOwn(workflow.tasks, startTaskId)) return [];
  const fromStart = edgesFrom(graph, startTaskId);
  const findings =
    fromStart.length > 0 && !fromStart.some((edge) => edge.state === "success")
      ? [finding("start-without-success", startTaskId, {})]
      : [];
  const reachable = reachableTasks(graph);
  const undoing = undoingTasks(validation);
  const unreachable = graph.taskIds.filter((id) => !reachable.has(id) && !undoing.has(id));
  return [...findings, ...unreachable.map((id) => finding("unreachable-task", id, {}))];
}
