import { spread, type Conditions } from "./data-flow-spread.ts";
import { ancestors, isIn, stepsTo, type Step, type Way } from "./data-flow-without.ts";
import type { Ending, FlowGraph } from "./data-flow-graph.ts";

/** Tasks that write a job variable, each with the states in which it does. */
export type VariableWriters = ReadonlyMap<string, (state: string) => boolean>;

/**
 * What is known of a job variable when a task starts that reads it. `input`: no task that leads to the reader writes
 * it, so it has to be given at the start. `way`: a course on which no such task has written it; undefined when there is
 * none.
 */
export type Written = { is: "input" } | { is: "written"; way: (() => Way) | undefined };

/**
 * Judges a variable at one reader. Writers beside the reader are not counted on, as they may be late; joins that do
 * not wait, cancelling and reverts are not followed further than the first pass, so that each way that is told can be
 * gone. No task of a way needs two states: each that must not lead to a writer ends so that it does not.
 */
export function judgeWritten(flow: FlowGraph, writers: VariableWriters, reader: number): Written {
  const leading = ancestors(flow, reader);
  const before = new Map(
    [...writers].flatMap(([task, writes]) => {
      const at = flow.positions.get(task);
      return at !== undefined && at !== reader && leading[at] === 1 ? [[at, writes] as const] : [];
    }),
  );
  if (before.size === 0) return { is: "input" };
  const free = freeEndings(flow, before, reader);
  if (!free) return { is: "written", way: undefined };
  const conditions: Conditions = {
    allows: (ending) => free.has(ending),
    leads: () => true,
    passes: () => true,
    // Which transitions into a join that counts can be taken together is not looked at.
    canStart: (task) => (flow.needed[task] ?? 1) === 1,
    restarts: [],
  };
  const reached = spread(flow, conditions, { first: 0, last: reader });
  if (!reached.has(reader)) return { is: "written", way: undefined };
  const way = (): Way => {
    const steps = stepsTo(flow, reached, { first: 0, reader });
    return { steps, besides: besidesOf(flow, { steps, free, reader }), isUnderWay: false };
  };
  return { is: "written", way };
}

interface Course {
  steps: readonly Step[];
  free: ReadonlySet<Ending>;
  reader: number;
}

/** What runs beside the way and would lead to a writer, did it not end so. */
function besidesOf(flow: FlowGraph, { steps, free, reader }: Course): Step[] {
  const chosen = new Map(steps.map(({ task, state }) => [flow.positions.get(task), state]));
  const isRunning = new Uint8Array(flow.ids.length);
  isRunning[0] = 1;
  const besides: Step[] = [];
  for (let task = 0; task < reader; task++) {
    if (isRunning[task] !== 1) continue;
    const endings = flow.endings[task] ?? [];
    const state = chosen.get(task);
    const ending = endings.find((one) => free.has(one) && (state === undefined || isIn(one, state)));
    for (const to of ending?.targets ?? []) isRunning[to] = 1;
    const isForced = state === undefined && !endings.every((one) => free.has(one));
    if (ending && isForced) besides.push({ task: flow.ids[task] ?? "", state: ending.state });
  }
  return besides;
}

/** The endings after which no writer need have written; undefined when every job comes to one that does. */
function freeEndings(
  flow: FlowGraph,
  writers: ReadonlyMap<number, (state: string) => boolean>,
  reader: number,
): Set<Ending> | undefined {
  const free = new Set<Ending>();
  const isCaught = new Uint8Array(flow.ids.length);
  for (let task = reader - 1; task >= 0; task--) {
    const open = (flow.endings[task] ?? []).filter(
      ({ state, targets }) => !writers.get(task)?.(state) && targets.every((to) => isCaught[to] !== 1),
    );
    for (const ending of open) free.add(ending);
    if (open.length === 0) isCaught[task] = 1;
  }
  return isCaught[0] === 1 ? undefined : free;
}
