import { startTaskId, type Transition, type Transitions } from "../workflow-schema.ts";

/** A transition with both ends named. */
export interface Edge extends Transition {
  from: string;
  to: string;
}

/** A workflow as the graph that its jobs run along. */
export interface WorkflowGraph {
  /** Task ids in the order of the document. */
  taskIds: readonly string[];
  /** Task id → the transitions that leave it, in the order of the document. */
  outgoing: ReadonlyMap<string, readonly Edge[]>;
  /** Task id → the standard transitions that enter it. */
  incoming: ReadonlyMap<string, readonly Edge[]>;
}

/** What of a workflow makes its graph. */
export interface WorkflowShape {
  tasks: Readonly<Record<string, unknown>>;
  transitions: Transitions;
}

const noEdges: readonly Edge[] = [];

/**
 * The graph of tasks and transitions (spec: workflow-engine.md §3.1, §3.3.5). Transitions from or to a
 * task that the workflow does not have are left out (orphan keys occur in real documents), and so are
 * standard transitions that leave the body of a loop.
 */
export function compileWorkflowGraph(workflow: WorkflowShape): WorkflowGraph {
  const outgoing = collectEdges(workflow);
  closeLoops(outgoing);
  return { taskIds: Object.keys(workflow.tasks), outgoing, incoming: collectIncoming(outgoing) };
}

/** The graph as the document draws it: with the standard transitions that leave the bodies of loops, which no job takes. */
export function rawGraph(workflow: WorkflowShape): WorkflowGraph {
  const outgoing = collectEdges(workflow);
  return { taskIds: Object.keys(workflow.tasks), outgoing, incoming: collectIncoming(outgoing) };
}

function collectEdges({ tasks, transitions }: WorkflowShape): Map<string, readonly Edge[]> {
  const edges = new Map<string, readonly Edge[]>();
  for (const [from, targets] of Object.entries(transitions)) {
    if (!Object.hasOwn(tasks, from)) continue;
    const known = Object.entries(targets).filter(([to]) => Object.hasOwn(tasks, to));
    edges.set(
      from,
      known.map(([to, { state, type }]) => ({ from, to, state, type })),
    );
  }
  return edges;
}

function closeLoops(outgoing: Map<string, readonly Edge[]>): void {
  for (const loopTaskId of loopTaskIds({ outgoing })) {
    const body = loopBody({ outgoing }, loopTaskId);
    for (const taskId of body) {
      const edges = outgoing.get(taskId) ?? noEdges;
      const kept = edges.filter((edge) => !isStandard(edge) || body.has(edge.to));
      if (kept.length < edges.length) outgoing.set(taskId, kept);
    }
  }
}

function collectIncoming(outgoing: ReadonlyMap<string, readonly Edge[]>): Map<string, readonly Edge[]> {
  const incoming = new Map<string, Edge[]>();
  for (const edge of [...outgoing.values()].flat().filter(isStandard)) {
    const entering = incoming.get(edge.to);
    if (entering) entering.push(edge);
    else incoming.set(edge.to, [edge]);
  }
  return incoming;
}

type Outgoing = Pick<WorkflowGraph, "outgoing">;

/** True for an edge that counts for joins and for the way from start to end. */
export function isStandard(edge: Edge): boolean {
  return edge.type === "standard";
}

/** The transitions that leave the task. */
export function edgesFrom(graph: Outgoing, taskId: string): readonly Edge[] {
  return graph.outgoing.get(taskId) ?? noEdges;
}

/** The standard transitions that enter the task. */
export function edgesInto(graph: WorkflowGraph, taskId: string): readonly Edge[] {
  return graph.incoming.get(taskId) ?? noEdges;
}

/** The tasks with a standard transition to this one. */
export function standardPredecessors(graph: WorkflowGraph, taskId: string): string[] {
  return edgesInto(graph, taskId).map((edge) => edge.from);
}

/** The tasks that a job can come to. */
export function reachableTasks(graph: Outgoing): Set<string> {
  return downstreamOf(graph, [startTaskId]);
}

/** The given tasks and all that lie downstream of them along the edges that `follow` accepts (default: standard edges). */
export function downstreamOf(
  graph: Outgoing,
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

/** Tasks with a loop transition. */
export function loopTaskIds({ outgoing }: Outgoing): string[] {
  const isLooping = (edges: readonly Edge[]) => edges.some((edge) => isStandard(edge) && edge.state === "loop");
  return [...outgoing].filter(([, edges]) => isLooping(edges)).map(([taskId]) => taskId);
}

/** The tasks that one element of a forEach runs: what its loop transitions lead to and its other transitions do not. */
export function loopBody(graph: Outgoing, forEachId: string): Set<string> {
  const edges = edgesFrom(graph, forEachId).filter(isStandard);
  const targets = (isLoop: boolean) =>
    edges.filter((edge) => (edge.state === "loop") === isLoop).map((edge) => edge.to);
  const after = downstreamOf(graph, targets(false));
  const body = downstreamOf(graph, targets(true));
  for (const taskId of after) body.delete(taskId);
  body.delete(forEachId);
  return body;
}

/** Tasks that lie on a cycle of standard edges: such a workflow can never be decided. Empty for a sound workflow. */
export function tasksOnStandardCycles(graph: WorkflowGraph): string[] {
  const waiting = new Map(graph.taskIds.map((id) => [id, standardPredecessors(graph, id).length]));
  const settled = graph.taskIds.filter((id) => waiting.get(id) === 0);
  for (const id of settled) {
    for (const { to } of edgesFrom(graph, id).filter(isStandard)) {
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) settled.push(to);
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
  // A set hands out members that are added while it is walked.
  for (const id of seen) for (const neighbour of next(id)) seen.add(neighbour);
  return seen;
}
