import type { FinishState } from "../../core/task.ts";
import type { Transitions } from "../workflow-schema.ts";

/** One transition between two tasks of a workflow. */
export interface Edge {
  from: string;
  to: string;
  state: FinishState;
  type: "standard" | "revert";
}

/**
 * A workflow as a graph. Transitions from or to a task that the workflow does not have are left
 * out, and a task without an entry has no transitions (spec: workflow-engine.md §3.1).
 */
export interface WorkflowGraph {
  /** Task ids in the order of the document. */
  taskIds: readonly string[];
  /** Task id → the transitions that leave it. Every task has an entry. */
  outgoing: ReadonlyMap<string, readonly Edge[]>;
  /** Task id → the transitions that enter it. Every task has an entry. */
  incoming: ReadonlyMap<string, readonly Edge[]>;
}

/** What of a workflow makes its graph. */
export interface WorkflowShape {
  tasks: Readonly<Record<string, unknown>>;
  transitions: Transitions;
}

/** Compiles tasks and transitions to a graph. */
export function compileWorkflowGraph(workflow: WorkflowShape): WorkflowGraph {
  const taskIds = Object.keys(workflow.tasks);
  const outgoing = new Map<string, Edge[]>(taskIds.map((id) => [id, []]));
  const incoming = new Map<string, Edge[]>(taskIds.map((id) => [id, []]));
  for (const [from, targets] of Object.entries(workflow.transitions)) {
    for (const [to, transition] of Object.entries(targets)) {
      const edge: Edge = { from, to, state: transition.state, type: transition.type };
      const entering = incoming.get(to);
      const leaving = outgoing.get(from);
      if (entering === undefined || leaving === undefined) continue;
      entering.push(edge);
      leaving.push(edge);
    }
  }
  return { taskIds, outgoing, incoming };
}

/** True for an edge that counts for joins and for the way from start to end. */
export function isStandard(edge: Edge): boolean {
  return edge.type === "standard";
}

/** The transitions that leave the task. */
export function edgesFrom(graph: WorkflowGraph, taskId: string): readonly Edge[] {
  return graph.outgoing.get(taskId) ?? [];
}

/** The tasks that a join at this task waits for. */
export function standardPredecessors(graph: WorkflowGraph, taskId: string): string[] {
  return (graph.incoming.get(taskId) ?? []).filter(isStandard).map((edge) => edge.from);
}

/** The given tasks and all that lie downstream of them along the edges that `follow` accepts (default: standard edges). */
export function downstreamOf(
  graph: WorkflowGraph,
  taskIds: readonly string[],
  follow: (edge: Edge) => boolean = isStandard,
): Set<string> {
  return reach(taskIds, (id) =>
    edgesFrom(graph, id)
      .filter(follow)
      .map((edge) => edge.to),
  );
}

/** The given tasks and all that lie upstream of them along standard edges. */
export function upstreamOf(graph: WorkflowGraph, taskIds: readonly string[]): Set<string> {
  return reach(taskIds, (id) => standardPredecessors(graph, id));
}

/** The tasks that one element of a forEach runs: everything downstream of its `loop` edges, without the forEach itself. */
export function loopBody(graph: WorkflowGraph, forEachId: string): Set<string> {
  const entries = edgesFrom(graph, forEachId).filter((edge) => isStandard(edge) && edge.state === "loop");
  const body = downstreamOf(
    graph,
    entries.map((edge) => edge.to),
    (edge) => isStandard(edge) && edge.to !== forEachId,
  );
  body.delete(forEachId);
  return body;
}

/** Tasks that lie on a cycle of standard edges: such a workflow can never be decided. Empty for a sound workflow. */
export function tasksOnStandardCycles(graph: WorkflowGraph): string[] {
  const waiting = new Map(graph.taskIds.map((id) => [id, standardPredecessors(graph, id).length]));
  const settled = graph.taskIds.filter((id) => waiting.get(id) === 0);
  for (let index = 0; index < settled.length; index++) {
    for (const edge of edgesFrom(graph, settled[index] as string).filter(isStandard)) {
      const left = (waiting.get(edge.to) ?? 0) - 1;
      waiting.set(edge.to, left);
      if (left === 0) settled.push(edge.to);
    }
  }
  const undecided = graph.taskIds.filter((id) => (waiting.get(id) ?? 0) > 0);
  return undecided.filter((id) => isOnCycle(graph, id));
}

function isOnCycle(graph: WorkflowGraph, taskId: string): boolean {
  const next = edgesFrom(graph, taskId)
    .filter(isStandard)
    .map((edge) => edge.to);
  return downstreamOf(graph, next).has(taskId);
}

function reach(from: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const seen = new Set(from);
  const waiting = [...seen];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const neighbour of next(id)) {
      if (seen.has(neighbour)) continue;
      seen.add(neighbour);
      waiting.push(neighbour);
    }
  }
  return seen;
}
