import type { WorkflowDocument } from "../workflow-schema.ts";
import { compileFlowGraph, type Ending, type FlowGraph } from "./data-flow-graph.ts";
import { common, doesDominate, dominatorsOf, type Dominators } from "./data-flow-dominators.ts";
import { judgeWritten, type VariableWriters, type Written } from "./data-flow-variables.ts";
import { ancestors, descendants, startsBeside, waysWithout, type Restarts, type Way } from "./data-flow-without.ts";
import { taskOptions } from "./task-options.ts";
import type { WorkflowGraph } from "./workflow-graph.ts";

/**
 * Has a task ended before another one starts? `sometimes`: there is a way on which it has not; `unordered`: it may
 * have, but neither waits for the other.
 */
export type Before = { has: "always" } | { has: "never" } | { has: "unordered" } | { has: "sometimes"; way: () => Way };

/** What a workflow's graph says of the order in which its tasks run. */
export interface DataFlow {
  /**
   * For each reader that a job can come to: has the source ended, with values that are still there, when the reader
   * starts? Readers are left out once a large workflow was asked too much.
   */
  before(source: string, readers: readonly string[]): Map<string, Before>;
  /** What is known of a job variable at each reader that a job can come to. Readers are left out as by `before`. */
  written(writers: VariableWriters, readers: readonly string[]): Map<string, Written>;
  /** Do all ways from the start to the other task, along standard transitions, lead through this one? */
  isOnEveryWay(task: string, other: string): boolean;
}

/** So many visits of tasks keep the node for about a second. Only a workflow of many thousand tasks comes to it; the rest of its questions stay unanswered. */
const mostVisited = 40_000_000;

/**
 * Says of tasks whether others have run before them, on every course that a job can take: joins by dead-path
 * elimination, early joins, cancelling, loops, reverts, compensation (spec: workflow-engine.md §3.3). What people
 * repair, and what tasks compute, is not looked at: every state a task can end in counts.
 *
 * @returns undefined when standard transitions form a cycle, or revert transitions are too many to look at.
 */
export function createDataFlow(workflow: WorkflowDocument, graph: WorkflowGraph): DataFlow | undefined {
  const flow = compileFlowGraph(workflow, graph);
  if (!flow || flow.reverts.length * flow.ids.length > mostVisited) return undefined;
  const undone = undoneTasks(workflow);
  const dominators = dominatorsOf(flow);
  const restarts = irregularReverts(flow, dominators);
  let left = mostVisited;
  return {
    before(source, readers) {
      const at = flow.positions.get(source);
      if (at !== undefined && left <= 0) return new Map();
      const places = readers.flatMap((reader) => flow.positions.get(undone.get(reader) ?? reader) ?? []);
      const isHard = (place: number) => at === undefined || !doesDominate(dominators, at, place);
      left -= places.filter(isHard).length * flow.ids.length;
      const judge = judgeOf({ flow, dominators, restarts }, at, places);
      return new Map(readers.flatMap((reader) => answersOf(reader, { source, at, judge, flow, undone })));
    },
    written(writers, readers) {
      if (left <= 0) return new Map();
      left -= readers.length * flow.ids.length;
      return new Map(
        readers.flatMap((reader) => {
          const place = flow.positions.get(reader);
          return place === undefined ? [] : [[reader, judgeWritten(flow, writers, place)] as const];
        }),
      );
    },
    isOnEveryWay(task, other) {
      const [at, otherAt] = [flow.positions.get(task), flow.positions.get(other)];
      return at !== undefined && otherAt !== undefined && doesDominate(dominators, at, otherAt);
    },
  };
}

/** Task → the tasks that it undoes. */
function undoneTasks({ tasks }: WorkflowDocument): Map<string, string> {
  return new Map(
    Object.entries(tasks).flatMap(([id, task]) => {
      const { compensation } = taskOptions(task);
      return compensation === undefined ? [] : [[compensation, id] as const];
    }),
  );
}

interface Asked {
  source: string;
  at: number | undefined;
  judge(reader: number): Before;
  flow: FlowGraph;
  undone: ReadonlyMap<string, string>;
}

function answersOf(reader: string, { source, at, judge, flow, undone }: Asked): [string, Before][] {
  const place = flow.positions.get(reader);
  if (place !== undefined) {
    // A compensation may have run before a revert started the reader again.
    if (at === undefined) return [[reader, { has: undone.has(source) ? "unordered" : "never" }]];
    return [[reader, judge(place)]];
  }
  const compensated = undone.get(reader);
  if (compensated === undefined) return [];
  return [[reader, beforeCompensation(compensated, { source, at, judge, flow, undone })]];
}

/** A task that undoes another sees what that one saw, and what it made; of all else it may have run or not. */
function beforeCompensation(compensated: string, { source, at, judge, flow, undone }: Asked): Before {
  const place = flow.positions.get(compensated);
  if (source === compensated) return { has: "always" };
  if (at === undefined || place === undefined) return { has: undone.has(source) ? "unordered" : "never" };
  const answer = judge(place);
  return answer.has === "never" ? { has: "unordered" } : answer;
}

interface Knowledge {
  flow: FlowGraph;
  dominators: Dominators;
  restarts: Restarts;
}

function judgeOf(
  knowledge: Knowledge,
  source: number | undefined,
  readers: readonly number[],
): (reader: number) => Before {
  if (source === undefined) return () => ({ has: "never" });
  const { flow, dominators, restarts } = knowledge;
  const isSure = (reader: number) =>
    source !== reader && doesDominate(dominators, source, reader) && leavesUnpassed(knowledge, source).length === 0;
  const unsure = readers.filter((reader) => !isSure(reader));
  // What restarts a task comes after it.
  const last = restarts.length > 0 ? flow.ids.length - 1 : Math.max(source, ...unsure);
  const after = unsure.length > 0 ? tasksAfter(flow, source, last) : [];
  const waiting = unsure.filter((reader) => after[reader] === 1);
  const first = stretchFrom(knowledge, [dominators.nearest[source] ?? 0, ...waiting]);
  const without = waiting.length > 0 ? waysWithout(flow, { source, restarts, stretch: { first, last } }) : undefined;
  return (reader) => {
    if (isSure(reader)) return { has: "always" };
    if (after[reader] !== 1) return unordered({ flow, restarts }, source, reader);
    const way = without?.(reader);
    return way ? { has: "sometimes", way } : { has: "always" };
  };
}

/** Revert transitions by which a job comes to what only this task leads to, from a task that it does not lead to. */
function leavesUnpassed({ dominators, restarts }: Knowledge, task: number): Restarts {
  return restarts.filter(({ from, to }) => doesDominate(dominators, task, to) && !doesDominate(dominators, task, from));
}

/** The nearest task through which every job comes that comes to any of these. */
function stretchFrom(knowledge: Knowledge, tasks: readonly number[]): number {
  const nearest = (all: readonly number[]): number =>
    all.reduce((one, other) => common(knowledge.dominators, one, other));
  let first = nearest(tasks);
  for (let open = leavesUnpassed(knowledge, first); open.length > 0; open = leavesUnpassed(knowledge, first)) {
    first = nearest([first, ...open.map(({ from }) => from)]);
  }
  return first;
}

/** 1 for what starts only when the source is decided: what it leads to, and what comes after the loops around it. */
function tasksAfter(flow: FlowGraph, source: number, last: number): Uint8Array {
  const after = descendants(flow, source, last);
  const loops = flow.loops.filter(({ body }) => body.has(source));
  for (const exit of loops.flatMap(({ exits }) => exits).filter((task) => task <= last))
    descendants(flow, exit, last).forEach((isAfter, task) => (after[task] = (after[task] ?? 0) | isAfter));
  after[source] = 0;
  return after;
}

/** Two tasks of which the source does not lead to the reader. */
function unordered({ flow, restarts }: Pick<Knowledge, "flow" | "restarts">, source: number, reader: number): Before {
  if (source === reader) return { has: "never" };
  const started = (task: number) => restarts.some(({ to }) => descendants(flow, to)[task] === 1);
  if (started(reader) || started(source)) return { has: "unordered" };
  if (source > reader && tasksAfter(flow, reader, source)[source] === 1)
    return { has: startsBeside(flow, reader, restarts)?.has(source) ? "unordered" : "never" };
  return canBothRun(flow, source, reader) ? { has: "unordered" } : { has: "never" };
}

/** Both run only when some task ends so that two of its transitions lead to one each. */
function canBothRun(flow: FlowGraph, one: number, other: number): boolean {
  const [toOne, toOther] = [ancestors(flow, one), ancestors(flow, other)];
  const parts = ({ targets }: Ending): boolean =>
    targets.some((first) => toOne[first] === 1 && targets.some((second) => second !== first && toOther[second] === 1));
  return flow.endings.some((endings, task) => toOne[task] === 1 && toOther[task] === 1 && endings.some(parts));
}

/** More rounds than any real workflow needs. */
const mostRounds = 8;

/**
 * Revert transitions that can start a task which had not run before: their source has been come to another way. The
 * others take a job back to where it was, so that nothing happens after them that could not have happened before.
 */
function irregularReverts(flow: FlowGraph, dominators: Dominators): Restarts {
  const open = new Set(flow.reverts.filter(({ from, to }) => !doesDominate(dominators, to, from)));
  const irregular: Restarts[number][] = [];
  for (let round = 0; round < mostRounds; round++) {
    const found = [...open].filter(({ from, to }) => isAvoidable(flow, to, { from, irregular }));
    if (found.length === 0) break;
    irregular.push(...found);
    // A task that could not be passed by may be now.
    if (round === 0) for (const revert of flow.reverts) open.add(revert);
    for (const revert of irregular) open.delete(revert);
  }
  return irregular;
}

function isAvoidable(
  flow: FlowGraph,
  task: number,
  { from, irregular }: { from: number; irregular: Restarts },
): boolean {
  const stretch = { first: 0, last: flow.ids.length - 1 };
  return waysWithout(flow, { source: task, restarts: irregular, stretch })(from) !== undefined;
}
