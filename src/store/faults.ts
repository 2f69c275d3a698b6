import type { Write } from "./store.ts";

/** A moment of a commit: before it is begun, between two of its writes, or after it is durable but before the caller knows. */
export interface FaultPoint {
  phase: "before" | "during" | "after";
  writes: readonly Write[];
}

/**
 * A plan of faults for tests. To throw makes the commit fail with StoreUnavailableError: nothing is
 * written (`before`, `during`) or all is written and only the answer is lost (`after`). A promise
 * delays the commit or its answer; in `during` there is nothing to wait for, it must act at once.
 */
export type StoreFaults = (point: FaultPoint) => void | Promise<void>;

/** The n-th commit (from 1) fails with nothing written. */
export function failBefore(n: number): StoreFaults {
  return failAt("before", n);
}

/** The n-th commit (from 1) is written, but its caller is told that the store is unavailable. */
export function failAfter(n: number): StoreFaults {
  return failAt("after", n);
}

/** The n-th commit of two or more writes (from 1) breaks off between its first and second write. */
export function tear(n: number): StoreFaults {
  let count = 0;
  let current: readonly Write[] | undefined;
  return ({ phase, writes }) => {
    if (phase !== "during" || writes === current) return;
    current = writes;
    count += 1;
    if (count === n) throw new Error(`commit ${n} is torn`);
  };
}

/** Every commit waits for what `wait` returns before it is begun. */
export function delay(wait: (writes: readonly Write[]) => Promise<void>): StoreFaults {
  return ({ phase, writes }) => (phase === "before" ? wait(writes) : undefined);
}

function failAt(phase: "before" | "after", n: number): StoreFaults {
  let count = 0;
  return (point) => {
    if (point.phase !== phase) return;
    count += 1;
    if (count === n) throw new Error(`fault ${phase} commit ${n}`);
  };
}
