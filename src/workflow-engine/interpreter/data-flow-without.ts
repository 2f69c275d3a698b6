import type { Ending, FlowGraph } from "./data-flow-graph.ts";
import { spread, type Conditions, type Reached, type Stretch } from "./data-flow-spread.ts";

/** A task and the state in which it ends. */
export interface Step {
  task: string;
  state: string;
}

/** A course of a job in which a task starts although another one has not ended before. */
export interface Way {
  /** From the start to the task. */
  steps: readonly Step[];
  /** Tasks beside the way that must end so. */
  besides: readonly Step[];
  /** The other task is started, but has not ended yet. */
  isUnderWay: boolean;
}

/** Revert transitions that may start a task which no other transition has started. */
export type Restarts = Conditions["restarts"];

/**
 * Where a job can come to while the source has not ended. Two courses: the source never runs, as no task that leads to
 * it ends in the state for it; or it runs and has not ended, which only joins that do not wait for it let happen.
 * The first one is exact but for joins that count: every task beside the way is free to end so that the source is not
 * come to, and no task needs two different states for that, so that one search back and one forth find it.
 *
 * @param stretch All ways to the source and to the tasks asked about lead through its first task.
 * @returns For a task: what tells a course in which it starts without the source; undefined when there is none.
 */
export function waysWithout(
  flow: FlowGraph,
  { source, restarts, stretch }: { source: number; restarts: Restarts; stretch: Stretch },
): (reader: number) => (() => Way) | undefined {
  const { first } = stretch;
  const leading = ancestors(flow, source, first);
  const isCaught = catchingTasks(flow, { source, leading, first });
  const isAvoiding = ({ targets }: Ending): boolean => targets.every((to) => isCaught[to] !== 1);
  const within = restarts.filter(({ from, to }) => from >= first && to > first && to <= stretch.last);
  const forced = within.filter(({ to }) => leading[to] === 1);
  const conditions: Conditions = {
    allows: isAvoiding,
    leads: (task) => task !== source,
    passes: () => true,
    canStart: (task, taken) => taken >= (flow.needed[task] ?? 1),
    restarts: [...within, ...forced.map((restart) => ({ ...restart, from: first }))],
  };
  const never = spread(flow, conditions, stretch);
  const late = startsBeside(flow, source, restarts);
  return (reader) => {
    if (never.has(reader)) {
      return () => {
        const steps = [...wayTo(flow, first), ...stepsTo(flow, never, { first, reader })];
        return { steps, besides: besidesOf(flow, { steps, source, first, leading, isAvoiding }), isUnderWay: false };
      };
    }
    if (!late?.has(reader)) return undefined;
    return () => ({ steps: stepsTo(flow, late, { first: 0, reader }), besides: [], isUnderWay: true });
  };
}

/** Some way from the start to a task. */
function wayTo(flow: FlowGraph, reader: number): Step[] {
  const conditions: Conditions = {
    allows: () => true,
    leads: () => true,
    passes: () => true,
    canStart: (task, taken) => taken >= (flow.needed[task] ?? 1),
    restarts: [],
  };
  return stepsTo(flow, spread(flow, conditions, { first: 0, last: reader }), { first: 0, reader });
}

/** 1 for every task that cannot run without the source being come to. */
function catchingTasks(
  flow: FlowGraph,
  { source, leading, first }: { source: number; leading: Uint8Array; first: number },
): Uint8Array {
  const isCaught = new Uint8Array(source + 1);
  for (let task = source; task >= first; task--) {
    // One transition that is taken does not start a join that asks for several.
    if (leading[task] === 0 || flow.cancelable.has(task) || (flow.needed[task] ?? 1) > 1) continue;
    const isFree = flow.endings[task]?.some(({ targets }) => targets.every((to) => isCaught[to] !== 1));
    if (task === source || !isFree) isCaught[task] = 1;
  }
  return isCaught;
}

/**
 * Where a job can come to while the source is under way: joins that wait for it, and all that waits for them, hold.
 *
 * @returns undefined where every join waits for all that leads to it.
 */
export function startsBeside(flow: FlowGraph, source: number, restarts: Restarts): Reached | undefined {
  if (flow.early.size === 0 && flow.cancelable.size === 0 && restarts.length === 0) return undefined;
  const restarted = new Set(restarts.map(({ to }) => to));
  const isHeld = new Uint8Array(flow.ids.length);
  isHeld[source] = 1;
  const loops = new Map(flow.loops.filter(({ body }) => body.has(source)).map(({ task, body }) => [task, body]));
  const passes = (from: number, to: number): boolean => isHeld[from] === 0 && (loops.get(from)?.has(to) ?? true);
  for (let task = 0; task < flow.ids.length; task++) {
    // A revert starts its target whatever that waits for.
    if (restarted.has(task) && task !== source) continue;
    const before = flow.predecessors[task] ?? [];
    // What is canceled is waited for no longer.
    const open = before.filter((from) => flow.cancelable.has(from) || passes(from, task)).length;
    if (open < (flow.early.has(task) ? (flow.needed[task] ?? 1) : before.length)) isHeld[task] = 1;
  }
  const conditions: Conditions = {
    allows: () => true,
    leads: (task) => isHeld[task] === 0,
    passes,
    canStart: (task, taken) => isHeld[task] === 0 && taken >= (flow.needed[task] ?? 1),
    restarts,
  };
  return spread(flow, conditions, { first: 0, last: flow.ids.length - 1 });
}

/** The steps by which a task was come to. */
export function stepsTo(
  flow: FlowGraph,
  reached: Reached,
  { first, reader }: { first: number; reader: number },
): Step[] {
  const steps: Step[] = [];
  for (let at = reader; at > first && reached.has(at);) {
    const { from, state } = reached.before(at);
    steps.push({ task: flow.ids[from] ?? "", state });
    at = from;
  }
  return steps.toReversed();
}

interface Course {
  steps: readonly Step[];
  source: number;
  first: number;
  leading: Uint8Array;
  isAvoiding(ending: Ending): boolean;
}

/** What runs beside the way and could have led to the source, had it not ended so. */
function besidesOf(flow: FlowGraph, course: Course): Step[] {
  const { steps, source, leading, isAvoiding } = course;
  const chosen = new Map(steps.map(({ task, state }) => [flow.positions.get(task), state]));
  const fits = (task: number): ((ending: Ending) => boolean) => {
    const state = task === source ? "cancel" : chosen.get(task);
    return state === undefined ? isAvoiding : (ending) => isIn(ending, state);
  };
  const run = runOf(flow, course, (task) => flow.endings[task]?.find(fits(task)));
  const isForced = (task: number): boolean =>
    task === source || (leading[task] === 1 && !chosen.has(task) && !flow.endings[task]?.every(isAvoiding));
  return run.flatMap(([task, { state }]) => (isForced(task) ? [{ task: flow.ids[task] ?? "", state }] : []));
}

/** The tasks up to the source that run when each ends as is chosen for it. */
function runOf(
  flow: FlowGraph,
  { first, source }: Course,
  choose: (task: number) => Ending | undefined,
): [number, Ending][] {
  const isRunning = new Uint8Array(flow.ids.length);
  isRunning[first] = 1;
  const run: [number, Ending][] = [];
  for (let task = first; task <= source; task++) {
    const ending = isRunning[task] === 1 ? choose(task) : undefined;
    if (!ending) continue;
    run.push([task, ending]);
    for (const to of ending.targets) isRunning[to] = 1;
  }
  return run;
}

/** Is it the ending of such a step? A step into the body of a loop has the state `loop`. */
export function isIn(ending: Ending, state: string): boolean {
  return ending.state === state || (state === "loop" && ending.looped !== undefined);
}

/** 1 for the task and for all that lead to it, from the first one on. */
export function ancestors(flow: FlowGraph, task: number, first = 0): Uint8Array {
  return closure(task, flow.predecessors, { first, last: task });
}

/** 1 for the task and for all that it leads to, up to the last one. */
export function descendants(flow: FlowGraph, task: number, last = flow.ids.length - 1): Uint8Array {
  return closure(task, flow.successors, { first: task, last });
}

function closure(task: number, neighbours: readonly (readonly number[])[], { first, last }: Stretch): Uint8Array {
  const isFound = new Uint8Array(last + 1);
  const found = [task];
  isFound[task] = 1;
  for (const one of found) {
    for (const next of neighbours[one] ?? []) {
      if (next < first || next > last || isFound[next] === 1) continue;
      isFound[next] = 1;
      found.push(next);
    }
  }
  return isFound;
}
