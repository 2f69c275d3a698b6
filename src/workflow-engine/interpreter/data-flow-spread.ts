import type { Ending, FlowGraph } from "./data-flow-graph.ts";

/** How far a job can come under given conditions. */
export interface Conditions {
  /** The task may end in this way. */
  allows(ending: Ending): boolean;
  /** The task ends, and so leads on. */
  leads(task: number): boolean;
  /** The transition can be decided. */
  passes(from: number, to: number): boolean;
  /** The task can be started when so many transitions into it are taken. */
  canStart(task: number, taken: number): boolean;
  /** Revert transitions that may start a task which was not come to before. */
  restarts: readonly { from: number; to: number; state: string }[];
}

/** The part of a flow graph that is searched: from a task that all ways lead through to the last one that is asked about. */
export interface Stretch {
  first: number;
  last: number;
}

/** Where a job can come to, and how. */
export interface Reached {
  has(task: number): boolean;
  /** The task before, and the state in which it ended. */
  before(task: number): { from: number; state: string };
}

/** All tasks of a stretch that can be come to from its first one. */
export function spread(flow: FlowGraph, conditions: Conditions, { first, last }: Stretch): Reached {
  const size = last - first + 1;
  const spreading: Spreading = {
    first,
    from: new Int32Array(size).fill(-1),
    states: [],
    taken: new Int32Array(size),
    lastFrom: new Int32Array(size),
  };
  spreading.from[0] = first;
  do spreadOnce(flow, conditions, spreading);
  while (restart(conditions, spreading));
  return {
    has: (task) => isReached(spreading, task),
    before: (task) => ({ from: spreading.from[task - first] ?? first, state: spreading.states[task - first] ?? "" }),
  };
}

interface Spreading {
  first: number;
  /** By distance from the first task, as all that follows: the task before; -1 for what is not reached. */
  from: Int32Array;
  states: string[];
  /** Transitions taken into the task. */
  taken: Int32Array;
  /** The last task that led to it: several of its endings may, and are one transition. */
  lastFrom: Int32Array;
}

function isReached({ first, from }: Spreading, task: number): boolean {
  return (from[task - first] ?? -1) >= 0;
}

function reach({ first, from, states }: Spreading, task: number, before: { from: number; state: string }): void {
  from[task - first] = before.from;
  states[task - first] = before.state;
}

/** Starts what revert transitions of tasks that were come to start. False: there is nothing new. */
function restart({ restarts }: Conditions, spreading: Spreading): boolean {
  const found = restarts.filter(({ from, to }) => isReached(spreading, from) && !isReached(spreading, to));
  for (const { from, to, state } of found) reach(spreading, to, { from, state });
  return found.length > 0;
}

function spreadOnce(flow: FlowGraph, conditions: Conditions, spreading: Spreading): void {
  const { first, from, taken, lastFrom } = spreading;
  taken.fill(0);
  lastFrom.fill(-1);
  for (let task = first; task < first + from.length; task++) {
    if (!isReached(spreading, task) || !conditions.leads(task)) continue;
    for (const ending of flow.endings[task] ?? [])
      if (conditions.allows(ending)) followEnding(conditions, spreading, { task, ending });
  }
}

function followEnding(
  conditions: Conditions,
  spreading: Spreading,
  { task, ending }: { task: number; ending: Ending },
): void {
  const { first, taken, lastFrom } = spreading;
  for (const to of ending.targets) {
    const at = to - first;
    if (at >= taken.length || lastFrom[at] === task || !conditions.passes(task, to)) continue;
    lastFrom[at] = task;
    const count = (taken[at] ?? 0) + 1;
    taken[at] = count;
    if (isReached(spreading, to) || !conditions.canStart(to, count)) continue;
    reach(spreading, to, { from: task, state: ending.looped?.includes(to) ? "loop" : ending.state });
  }
}
