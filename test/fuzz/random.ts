/** Random choices that are the same for the same seed. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** 0 ≤ whole number < end. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** Choices for one case: neither the order nor the number of other cases changes them (mulberry32). */
export function createRandom(seed: number, purpose: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b1, 0x85ebca6b) ^ Math.imul(purpose + 1, 0xc2b2ae35);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick(choices) {
      if (choices.length === 0) throw new Error("there is nothing to pick from");
      return choices[below(choices.length)] as (typeof choices)[number];
    },
  };
}
