import type { StoreFaults } from "../../src/store/index.ts";

/** How commits go wrong: nothing written, written but the answer lost, or broken off between two writes. */
export type FaultKind = "fail before" | "fail after" | "tear";

/** Says of the commits of a kind, counted from 1, which go wrong. */
export type IsFaulty = (commit: number) => boolean;

/** Every n-th commit. */
export function everyNth(n: number): IsFaulty {
  return (commit) => commit % n === 0;
}

/** Commits at random with this chance (0 to 1), the same for the same seed. */
export function atRandom(seed: number, chance: number): IsFaulty {
  return (commit) => {
    // One step of a multiplicative hash: neighbouring commits and seeds have nothing in common.
    const mixed = Math.imul(Math.imul(commit, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b), 0xc2b2ae35) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32 < chance;
  };
}

/** Faults that tests turn on and off. */
export interface FaultSwitch {
  faults: StoreFaults;
  /** What goes wrong from now on; undefined: nothing. */
  plan: { kind: FaultKind; isFaulty: IsFaulty } | undefined;
  /** Commits that went wrong so far. */
  injected: number;
}

const phases = { "fail before": "before", "fail after": "after", tear: "during" } as const;

/** A switch that is off. */
export function createFaultSwitch(): FaultSwitch {
  let commits = 0;
  let torn: readonly unknown[] | undefined;
  const control: FaultSwitch = {
    plan: undefined,
    injected: 0,
    faults({ phase, writes }) {
      const { plan } = control;
      // Between its writes a commit is asked about more than once.
      if (!plan || phase !== phases[plan.kind] || (phase === "during" && writes === torn)) return;
      if (phase === "during") torn = writes;
      commits += 1;
      if (!plan.isFaulty(commits)) return;
      control.injected += 1;
      throw new Error(`${plan.kind}: commit ${commits}`);
    },
  };
  return control;
}
