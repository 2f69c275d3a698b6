import type { JsonObject } from "../../core/json.ts";
import { startTaskId, type Transition, type WorkflowDocument, type WorkflowTask } from "../workflow-schema.ts";

/** A transition with both ends named. */
export interface Edge extends Transition {
  from: string;
  to: string;
}

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
  /** The same as job documents show them: by finish state. */
  transitionsByState(taskId: string): Readonly<Record<string, readonly object[]>>;
  /** Standard transitions into a task from tasks that can be reached from the start: the ones a join waits for. */
  joinEdges(taskId: string): readonly Edge[];
  /** The task and everything forward of it along standard transitions: what a revert to it resets. */
  region(taskId: string): ReadonlySet<string>;
  /** Tasks with a loop transition. */
  loopTaskIds: readonly string[];
  /** The body of a forEach: what its loop transitions lead to and its other transitions do not. */
  loopBody(taskId: string): ReadonlySet<string>;
}

const noEdges: readonly Edge[] = [];

/** Compiles a snapshot. Transitions to or from tasks that do not exist are dropped (orphan keys occur in real documents). */
export function compileWorkflow(snapshot: WorkflowSnapshot): CompiledWorkflow {
  const tasks = new Map(Object.entries(snapshot.workflow.tasks));
  const outgoing = withinLoops(collectEdges(snapshot.workflow, tasks));
  const reachable = reach(outgoing, [startTaskId]);
  const joins = collectJoins(outgoing, reachable);
  const regions = new Map<string, ReadonlySet<string>>();
  const shownTransitions = new Map<string, Record<string, object[]>>();
  const bodies = new Map<string, ReadonlySet<string>>();
  return {
    snapshot,
    taskIds: [...tasks.keys()],
    task: (taskId) => tasks.get(taskId),
    edgesFrom: (taskId) => outgoing.get(taskId) ?? noEdges,
    transitionsByState: (taskId) =>
      remember(shownTransitions, taskId, () => groupByState(outgoing.get(taskId) ?? noEdges)),
    joinEdges: (taskId) => joins.get(taskId) ?? noEdges,
    region: (taskId) => remember(regions, taskId, () => reach(outgoing, [taskId])),
    loopTaskIds: loopTasks(outgoing),
    loopBody: (taskId) => remember(bodies, taskId, () => bodyOf(outgoing, taskId)),
  };
}

function remember<V>(cache: Map<string, V>, key: string, make: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

function collectEdges(
  workflow: WorkflowDocument,
  tasks: ReadonlyMap<string, WorkflowTask>,
): Map<string, readonly Edge[]> {
  const edges = new Map<string, readonly Edge[]>();
  for (const [from, targets] of Object.entries(workflow.transitions)) {
    if (!tasks.has(from)) continue;
    const known = Object.entries(targets).filter(([to]) => tasks.has(to));
    edges.set(
      from,
      known.map(([to, transition]) => ({ from, to, state: transition.state, type: transition.type })),
    );
  }
  return edges;
}

function groupByState(edges: readonly Edge[]): Record<string, object[]> {
  const byState: Record<string, object[]> = {};
  for (const { state, to, type } of edges) (byState[state] ??= []).push({ task: to, type });
  return byState;
}

/** A loop body cannot be left (workflow-engine.md §3.3.5): standard transitions out of it are dropped. */
function withinLoops(outgoing: Map<string, readonly Edge[]>): Map<string, readonly Edge[]> {
  for (const loopTaskId of loopTasks(outgoing)) {
    const body = bodyOf(outgoing, loopTaskId);
    for (const taskId of body) {
      const edges = outgoing.get(taskId) ?? noEdges;
      const kept = edges.filter((edge) => edge.type === "revert" || body.has(edge.to));
      if (kept.length < edges.length) outgoing.set(taskId, kept);
    }
  }
  return outgoing;
}

function loopTasks(outgoing: ReadonlyMap<string, readonly Edge[]>): string[] {
  const isLooping = (edges: readonly Edge[]) => edges.some((edge) => edge.state === "loop" && edge.type === "standard");
  return [...outgoing].filter(([, edges]) => isLooping(edges)).map(([taskId]) => taskId);
}

function collectJoins(
  outgoing: ReadonlyMap<string, readonly Edge[]>,
  reachable: ReadonlySet<string>,
): Map<string, Edge[]> {
  const joins = new Map<string, Edge[]>();
  for (const [from, edges] of outgoing) {
    if (!reachable.has(from)) continue;
    for (const edge of edges) {
      if (edge.type !== "standard") continue;
      const into = joins.get(edge.to);
      if (into) into.push(edge);
      else joins.set(edge.to, [edge]);
    }
  }
  return joins;
}

function reach(outgoing: ReadonlyMap<string, readonly Edge[]>, from: readonly string[]): Set<string> {
  const seen = new Set(from);
  for (const taskId of seen) {
    for (const edge of outgoing.get(taskId) ?? noEdges) {
      if (edge.type === "standard") seen.add(edge.to);
    }
  }
  return seen;
}

function bodyOf(outgoing: ReadonlyMap<string, readonly Edge[]>, loopTaskId: string): Set<string> {
  const edges = (outgoing.get(loopTaskId) ?? noEdges).filter((edge) => edge.type === "standard");
  const targets = (isLoop: boolean) =>
    edges.filter((edge) => (edge.state === "loop") === isLoop).map((edge) => edge.to);
  const after = reach(outgoing, targets(false));
  const body = reach(outgoing, targets(true));
  for (const taskId of after) body.delete(taskId);
  body.delete(loopTaskId);
  return body;
}
