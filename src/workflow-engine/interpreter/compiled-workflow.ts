import type { JsonObject } from "../../core/json.ts";
import type { WorkflowDocument, WorkflowTask } from "../workflow-schema.ts";
import { isDecision } from "./decisions.ts";
import { noOptions, taskOptions, type TaskOptions } from "./task-options.ts";
import {
  compileWorkflowGraph,
  downstreamOf,
  edgesFrom,
  edgesInto,
  loopBody,
  loopTaskIds,
  reachableTasks,
  upstreamOf,
  type Edge,
} from "./workflow-graph.ts";

/** What a job copies at its start: later edits of the workflow or its transformations do not touch it (workflow-engine.md §3.3.1). */
export interface WorkflowSnapshot {
  workflow: WorkflowDocument;
  /** By the identifier that tasks refer to. */
  transformations: Readonly<Record<string, JsonObject>>;
}

/** A snapshot made ready to run: built once per content and shared by all its jobs. */
export interface CompiledWorkflow {
  snapshot: WorkflowSnapshot;
  taskIds: readonly string[];
  task(taskId: string): WorkflowTask | undefined;
  /** All transitions out of a task, in document order. */
  edgesFrom(taskId: string): readonly Edge[];
  /** The members of a task in which the documents of all jobs are alike: its definition, its id and its transitions by finish state (workflow-engine.md §6.2). */
  shownTask(taskId: string): Readonly<Record<string, unknown>>;
  /** Standard transitions into a task from tasks that can be reached from the start: the ones a join waits for. */
  joinEdges(taskId: string): readonly Edge[];
  /** The task and everything forward of it along standard transitions: what a revert to it resets. */
  region(taskId: string): ReadonlySet<string>;
  /** The task and everything that leads to it along standard transitions. */
  upstream(taskId: string): ReadonlySet<string>;
  /** What the task asks for beyond its transitions. */
  options(taskId: string): TaskOptions;
  /** Tasks that choose one of their success transitions. */
  decisions: ReadonlySet<string>;
  /** Tasks that undo others. */
  compensators: ReadonlySet<string>;
  /** Tasks with a loop transition. */
  loopTaskIds: readonly string[];
  /** The body of a forEach: what its loop transitions lead to and its other transitions do not. */
  loopBody(taskId: string): ReadonlySet<string>;
  /** The loops whose bodies the task belongs to. */
  loopsAround(taskId: string): readonly string[];
}

/** Compiles a snapshot. What is costly to know is found out once, when it is first asked for. */
export function compileWorkflow(snapshot: WorkflowSnapshot): CompiledWorkflow {
  const tasks = new Map(Object.entries(snapshot.workflow.tasks));
  const graph = compileWorkflowGraph(snapshot.workflow);
  const reachable = reachableTasks(graph);
  const options = new Map([...tasks].map(([taskId, task]) => [taskId, taskOptions(task)]));
  const loops = loopTaskIds(graph);
  const body = remember((taskId) => loopBody(graph, taskId));
  return {
    snapshot,
    taskIds: graph.taskIds,
    task: (taskId) => tasks.get(taskId),
    edgesFrom: (taskId) => edgesFrom(graph, taskId),
    shownTask: remember((taskId) => ({
      ...definitionAlone(tasks.get(taskId) ?? {}),
      taskId,
      transitions: groupByState(edgesFrom(graph, taskId)),
    })),
    joinEdges: remember((taskId) => edgesInto(graph, taskId).filter((edge) => reachable.has(edge.from))),
    region: remember((taskId) => downstreamOf(graph, [taskId])),
    upstream: remember((taskId) => upstreamOf(graph, [taskId])),
    options: (taskId) => options.get(taskId) ?? noOptions,
    decisions: new Set([...tasks].filter(([, task]) => isDecision(task)).map(([taskId]) => taskId)),
    compensators: compensatorsOf(options.values()),
    loopTaskIds: loops,
    loopBody: body,
    loopsAround: remember((taskId) => loops.filter((loop) => body(loop).has(taskId))),
  };
}

function compensatorsOf(options: Iterable<TaskOptions>): Set<string> {
  return new Set([...options].flatMap(({ compensation }) => (compensation === undefined ? [] : [compensation])));
}

function remember<V>(find: (taskId: string) => V): (taskId: string) => V {
  const found = new Map<string, V>();
  return (taskId) => {
    const known = found.get(taskId);
    if (known !== undefined) return known;
    const value = find(taskId);
    found.set(taskId, value);
    return value;
  };
}

/** What says how a task fared in a job: a workflow that somebody made of a job's document may still carry it. */
const runNames = new Set([
  "status",
  "iterations",
  "previous",
  "endTasks",
  "metrics",
  "owner",
  "start_time",
  "end_time",
  "finish_state",
  "mocked",
]);

function definitionAlone(task: object): object {
  return Object.fromEntries(Object.entries(task).filter(([name]) => !runNames.has(name)));
}

function groupByState(edges: readonly Edge[]): Record<string, object[]> {
  const byState: Record<string, object[]> = {};
  for (const { state, to, type } of edges) (byState[state] ??= []).push({ task: to, type });
  return byState;
}
