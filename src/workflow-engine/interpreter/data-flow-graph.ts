import { startTaskId, type WorkflowDocument, type WorkflowTask } from "../workflow-schema.ts";
import { finishStates } from "./data-flow-states.ts";
import { isDecision } from "./decisions.ts";
import { taskOptions } from "./task-options.ts";
import {
  edgesFrom,
  edgesInto,
  isStandard,
  loopBody,
  loopTaskIds,
  reachableTasks,
  upstreamOf,
  type Edge,
  type WorkflowGraph,
} from "./workflow-graph.ts";

/** One way in which a task can end: its finish state, and the tasks that its transitions then lead to. */
export interface Ending {
  state: string;
  targets: readonly number[];
  /** Those of the targets that its loop transitions lead to, one element after the other, before it ends. */
  looped?: readonly number[];
}

/** A forEach: its body, and what its other transitions lead to. */
export interface FlowLoop {
  task: number;
  body: ReadonlySet<number>;
  exits: readonly number[];
}

/** The tasks a job can come to, as numbers in an order in which each comes after all that lead to it: 0 is the start. */
export interface FlowGraph {
  ids: readonly string[];
  positions: ReadonlyMap<string, number>;
  endings: readonly (readonly Ending[])[];
  successors: readonly (readonly number[])[];
  predecessors: readonly (readonly number[])[];
  /** So many transitions into the task have to be taken. */
  needed: readonly number[];
  /** Tasks that may start before every transition into them is decided. */
  early: ReadonlySet<number>;
  /** Tasks that another one may cancel. */
  cancelable: ReadonlySet<number>;
  loops: readonly FlowLoop[];
  reverts: readonly { from: number; to: number; state: string }[];
}

/** The graph for questions of data flow; undefined when standard transitions form a cycle, as no job can run then. */
export function compileFlowGraph({ tasks }: WorkflowDocument, graph: WorkflowGraph): FlowGraph | undefined {
  const ids = inOrder(graph);
  if (!ids) return undefined;
  const positions = new Map(ids.map((id, position) => [id, position]));
  const place = (id: string): number[] => {
    const position = positions.get(id);
    return position === undefined ? [] : [position];
  };
  const canceled = new Set(canceledTasks(tasks, graph, ids));
  const successors = ids.map((id) => standardFrom(graph, id).flatMap(({ to }) => place(to)));
  const joins = ids.map((id) => taskOptions(tasks[id]).join);
  const predecessors = ids.map((id) => edgesInto(graph, id).flatMap(({ from }) => place(from)));
  return {
    ids,
    positions,
    successors,
    predecessors,
    endings: ids.map((id) =>
      endingsOf(tasks[id], { edges: edgesFrom(graph, id), place, isCancelable: canceled.has(id) }),
    ),
    needed: joins.map((join) => join ?? 1),
    early: new Set(
      joins.flatMap((join, at) => (join !== undefined && join < (predecessors[at]?.length ?? 0) ? [at] : [])),
    ),
    cancelable: new Set([...canceled].flatMap(place)),
    loops: loopTaskIds(graph).flatMap((id) => place(id).map((task) => loopOf(graph, { id, task, place }))),
    reverts: ids.flatMap((id, from) =>
      edgesFrom(graph, id)
        .filter((edge) => !isStandard(edge))
        .flatMap(({ to, state }) => place(to).map((target) => ({ from, to: target, state }))),
    ),
  };
}

type Place = (id: string) => number[];

/** What can be reached, every task after all that lead to it; undefined when there is no such order. */
function inOrder(graph: WorkflowGraph): string[] | undefined {
  const reachable = reachableTasks(graph);
  const open = new Map(
    [...reachable].map((id) => [id, edgesInto(graph, id).filter(({ from }) => reachable.has(from)).length]),
  );
  const order = open.get(startTaskId) === 0 ? [startTaskId] : [];
  for (const id of order) {
    for (const { to } of standardFrom(graph, id)) {
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      if (left === 0) order.push(to);
    }
  }
  return order.length === reachable.size ? order : undefined;
}

function standardFrom(graph: WorkflowGraph, id: string): readonly Edge[] {
  return edgesFrom(graph, id).filter(isStandard);
}

interface EndingParts {
  edges: readonly Edge[];
  place: Place;
  isCancelable: boolean;
}

function endingsOf(task: WorkflowTask | undefined, { edges, place, isCancelable }: EndingParts): Ending[] {
  const standard = edges.filter(isStandard);
  const targets = (state: string) => standard.filter((edge) => edge.state === state).flatMap(({ to }) => place(to));
  const states = !task || task.name === startTaskId ? ["success"] : finishStates(task, edges);
  const chosen = task && isDecision(task) ? standard.filter(({ state }) => state === "success") : [];
  const plain = states.flatMap((state) =>
    state === "success" && chosen.length > 0
      ? chosen.map(({ to }) => ({ state, targets: place(to) }))
      : [{ state, targets: targets(state) }],
  );
  const canceled = isCancelable ? [{ state: "cancel", targets: [] }] : [];
  const looped = targets("loop");
  if (looped.length === 0) return [...plain, ...canceled];
  const afterLoop = plain.map(({ state, targets: after }) => ({ state, targets: [...looped, ...after], looped }));
  const withoutLoop = plain.map((ending) => ({ ...ending, state: `${ending.state} without an element` }));
  // A loop that reverts at its end has run its body before.
  const isReverting = standard.length < edges.length;
  const onlyLoop = isReverting ? [{ state: "loop", targets: looped, looped }] : [];
  return [...afterLoop, ...withoutLoop, ...onlyLoop, ...canceled];
}

function loopOf(graph: WorkflowGraph, { id, task, place }: { id: string; task: number; place: Place }): FlowLoop {
  const exits = standardFrom(graph, id).filter(({ state }) => state !== "loop");
  return { task, body: new Set([...loopBody(graph, id)].flatMap(place)), exits: exits.flatMap(({ to }) => place(to)) };
}

/** What tasks with `cancelOthers` may cancel (interpreter/cancel-tasks.ts). */
function canceledTasks(tasks: WorkflowDocument["tasks"], graph: WorkflowGraph, ids: readonly string[]): string[] {
  const loops = new Set(loopTaskIds(graph));
  return ids.flatMap((id) => {
    const { cancelsUpstream, cancels } = taskOptions(tasks[id]);
    const upstream = cancelsUpstream ? [...upstreamOf(graph, [id])].filter((other) => other !== id) : [];
    const listed = cancels.length > 0 ? ledToOnlyBy(graph, ids, cancels) : [];
    return [
      ...upstream.flatMap((other) => (loops.has(other) ? [other, ...loopBody(graph, other)] : [other])),
      ...listed,
    ];
  });
}

function ledToOnlyBy(graph: WorkflowGraph, ids: readonly string[], cancels: readonly string[]): Set<string> {
  const region = new Set(cancels);
  for (const id of ids) {
    const edges = edgesInto(graph, id);
    if (edges.length > 0 && edges.every(({ from }) => region.has(from))) region.add(id);
  }
  return region;
}
