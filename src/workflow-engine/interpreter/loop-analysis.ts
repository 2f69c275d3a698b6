import type { WorkflowProblem } from "../workflow-schema.ts";
import {
  downstreamOf,
  edgesFrom,
  isStandard,
  loopBody,
  loopTaskIds,
  rawGraph,
  upstreamOf,
  type Edge,
  type WorkflowGraph,
  type WorkflowShape,
} from "./workflow-graph.ts";

/**
 * The tasks of each loop of a workflow (workflow-engine.md §8.7): a forEach with its body; the target of a revert
 * transition with every task on a standard way from it to the transition's source. The head comes first.
 */
export function findLoops(workflow: WorkflowShape): string[][] {
  const graph = rawGraph(workflow);
  const reverts = allEdges(graph).filter((edge) => !isStandard(edge));
  const loops = [
    ...loopTaskIds(graph).map((head) => inOrder(graph, head, loopBody(graph, head))),
    ...reverts.map(({ from, to }) => inOrder(graph, to, between(graph, to, from))),
  ];
  // Several transitions may go back over the same tasks.
  return [...new Map(loops.map((loop) => [loop.join("\n"), loop])).values()];
}

/**
 * What is wrong with the loops of a workflow: a forEach without a body, a body that leads out by a standard
 * transition, a transition that leads into a body past its forEach, a revert transition that leaves or enters a
 * body, bodies that overlap without one holding the other.
 */
export function loopProblems(workflow: WorkflowShape): WorkflowProblem[] {
  const graph = rawGraph(workflow);
  const bodies = new Map(loopTaskIds(graph).map((id) => [id, loopBody(graph, id)]));
  const problems = [
    ...emptyLoops(workflow, bodies),
    ...[...bodies].flatMap(([id, body]) => crossings(graph, id, body)),
    ...overlaps(bodies),
  ];
  return problems.map(({ task, message }) => ({ task, name: nameOf(workflow.tasks[task]), message }));
}

function nameOf(task: unknown): string {
  const { name } = (task ?? {}) as { name?: unknown };
  return typeof name === "string" ? name : "";
}

interface Problem {
  task: string;
  message: string;
}

function inOrder(graph: WorkflowGraph, head: string, tasks: ReadonlySet<string>): string[] {
  return [head, ...graph.taskIds.filter((id) => id !== head && tasks.has(id))];
}

/** Tasks on the standard ways from one task to another; the last one also where no way leads to it. */
function between(graph: WorkflowGraph, from: string, to: string): Set<string> {
  const leading = upstreamOf(graph, [to]);
  return new Set([to, ...[...downstreamOf(graph, [from])].filter((id) => leading.has(id))]);
}

function emptyLoops({ tasks }: WorkflowShape, bodies: ReadonlyMap<string, ReadonlySet<string>>): Problem[] {
  const ids = Object.keys(tasks).filter((id) => nameOf(tasks[id]) === "forEach" || bodies.has(id));
  return ids
    .filter((id) => (bodies.get(id)?.size ?? 0) === 0)
    .map((task) => ({ task, message: "The loop has no body: no transition of state loop leads to a task of its own" }));
}

function crossings(graph: WorkflowGraph, forEachId: string, body: ReadonlySet<string>): Problem[] {
  const isWithin = (id: string) => body.has(id);
  return allEdges(graph).flatMap((edge): Problem[] => {
    const { from, to } = edge;
    if (isWithin(from) && !isWithin(to)) return [{ task: from, message: leavingText(edge, forEachId) }];
    if (!isWithin(from) && isWithin(to) && from !== forEachId) {
      return [{ task: from, message: `The transition to ${to} leads into the body of the loop ${forEachId}` }];
    }
    return [];
  });
}

function leavingText(edge: Edge, forEachId: string): string {
  const kind = isStandard(edge) ? "transition" : "revert transition";
  return `The ${kind} to ${edge.to} leads out of the body of the loop ${forEachId}`;
}

/** Bodies that share tasks must lie one within the other. */
function overlaps(bodies: ReadonlyMap<string, ReadonlySet<string>>): Problem[] {
  const loops = [...bodies];
  return loops.flatMap(([id, body], index) =>
    loops
      .slice(index + 1)
      .filter(([otherId, other]) => doOverlap(body, other) && !holds(body, otherId, other) && !holds(other, id, body))
      .map(([otherId]) => ({ task: id, message: `The bodies of the loops ${id} and ${otherId} overlap` })),
  );
}

function doOverlap(body: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...body].some((id) => other.has(id));
}

function holds(outer: ReadonlySet<string>, innerId: string, inner: ReadonlySet<string>): boolean {
  return outer.has(innerId) && [...inner].every((id) => outer.has(id));
}

function allEdges(graph: WorkflowGraph): Edge[] {
  return graph.taskIds.flatMap((id) => edgesFrom(graph, id));
}
