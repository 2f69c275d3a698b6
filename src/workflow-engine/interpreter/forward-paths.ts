import { badRequest } from "../../core/errors.ts";
import {
  compileWorkflowGraph,
  edgesFrom,
  isStandard,
  upstreamOf,
  type WorkflowGraph,
  type WorkflowShape,
} from "./workflow-graph.ts";

/** Beyond this number the paths of a workflow are of no use to a person and are refused. */
const maximumForwardPaths = 10_000;

/**
 * All ways from one task to another along standard transitions, each a list of task ids with no
 * task twice, in the order of the document (spec: workflow-engine.md §8.7).
 *
 * @throws PlatformError BAD_REQUEST when a task is not part of the workflow or the ways are more than `maximumForwardPaths`.
 */
export function findForwardPaths(workflow: WorkflowShape, startTask: string, endTask: string): string[][] {
  const graph = compileWorkflowGraph(workflow);
  for (const taskId of [startTask, endTask]) {
    if (!Object.hasOwn(workflow.tasks, taskId)) throw badRequest(`Task ${taskId} is not part of the workflow`);
  }
  return collectPaths(graph, startTask, endTask);
}

function collectPaths(graph: WorkflowGraph, startTask: string, endTask: string): string[][] {
  // Only tasks that lead to the end are entered, so that on the acyclic graphs that workflows are every step is part of a path.
  const leadsToEnd = upstreamOf(graph, [endTask]);
  const paths: string[][] = [];
  const waiting: string[][] = leadsToEnd.has(startTask) ? [[startTask]] : [];
  let steps = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    steps += path.length;
    const taskId = path.at(-1) as string;
    if (taskId === endTask) paths.push(path);
    else waiting.push(...extensions(graph, path, leadsToEnd).toReversed());
    refuseTooMany(paths.length + waiting.length, steps);
  }
  return paths;
}

function extensions(graph: WorkflowGraph, path: readonly string[], allowed: ReadonlySet<string>): string[][] {
  const next = edgesFrom(graph, path.at(-1) as string).filter((edge) => isStandard(edge) && allowed.has(edge.to));
  return next.filter((edge) => !path.includes(edge.to)).map((edge) => [...path, edge.to]);
}

// Cycles of standard edges (an invalid workflow) may lead into dead ends; the bound on steps keeps those finite in time too.
function refuseTooMany(paths: number, steps: number): void {
  if (paths > maximumForwardPaths || steps > maximumForwardPaths * 1_000) {
    throw badRequest(`The workflow has more than ${maximumForwardPaths} forward paths between these tasks`);
  }
}
