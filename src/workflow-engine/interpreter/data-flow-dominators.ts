import type { FlowGraph } from "./data-flow-graph.ts";

/** Which tasks every way from the start to a task leads through. They form a tree, numbered from its root on. */
export interface Dominators {
  /** Task → the nearest task through which every way to it goes; the start → itself. */
  nearest: readonly number[];
  /** Task → its number in the tree: those that it dominates have the numbers after it. */
  numbers: Int32Array;
  /** Task → how many it dominates, itself included. */
  sizes: Int32Array;
}

/** Finds the dominators of all tasks in one pass, as a task comes after all that lead to it. */
export function dominatorsOf({ ids, predecessors }: Pick<FlowGraph, "ids" | "predecessors">): Dominators {
  const nearest: number[] = [0];
  for (let task = 1; task < ids.length; task++) {
    const [first = 0, ...others] = predecessors[task] ?? [];
    nearest.push(others.reduce((one, other) => commonOf(nearest, one, other), first));
  }
  return { nearest, ...numbered(nearest) };
}

function numbered(nearest: readonly number[]): Pick<Dominators, "numbers" | "sizes"> {
  const sizes = new Int32Array(nearest.length).fill(1);
  for (let task = nearest.length - 1; task > 0; task--) {
    const parent = nearest[task] ?? 0;
    sizes[parent] = (sizes[parent] ?? 0) + (sizes[task] ?? 0);
  }
  const numbers = new Int32Array(nearest.length);
  const next = new Int32Array(nearest.length).fill(1);
  for (let task = 1; task < nearest.length; task++) {
    const parent = nearest[task] ?? 0;
    const number = next[parent] ?? 0;
    numbers[task] = number;
    next[parent] = number + (sizes[task] ?? 0);
    next[task] = number + 1;
  }
  return { numbers, sizes };
}

/** Does every way from the start to the other task lead through this one? A task dominates itself. */
export function doesDominate({ numbers, sizes }: Dominators, task: number, other: number): boolean {
  const distance = (numbers[other] ?? 0) - (numbers[task] ?? 0);
  return distance >= 0 && distance < (sizes[task] ?? 0);
}

/** The nearest task through which all ways to both lead, themselves included. */
export function common({ nearest }: Dominators, left: number, right: number): number {
  return commonOf(nearest, left, right);
}

function commonOf(nearest: readonly number[], left: number, right: number): number {
  let [one, other] = [left, right];
  while (one !== other) {
    if (one > other) one = nearest[one] ?? 0;
    else other = nearest[other] ?? 0;
  }
  return one;
}
