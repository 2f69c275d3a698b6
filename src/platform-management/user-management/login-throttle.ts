import type { Clock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Rules for wrong passwords, per account name and client address. Source: `test-programme.md` S11. */
export const throttleRules = {
  /** Wrong tries without consequence. */
  freeTries: 5,
  /** Wait after the first try beyond; doubles with each further one. */
  firstDelayMs: 1_000,
  longestDelayMs: 30_000,
  /** Wrong tries within an hour that lock. */
  lockTries: 20,
  lockMs: 15 * minuteMs,
} as const;

/** Too many names at once are an attack; the longest unused are forgotten. */
const capacity = 100_000;

/** Refuses password checks that come too often. */
export interface LoginThrottle {
  /**
   * Runs one check; checks of the same name and address run one after the other. Throws
   * LoginThrottledError without running it while the pair must wait. A check that yields undefined counts as wrong.
   */
  attempt<T>(username: string, address: string, check: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** 429: too many wrong passwords; says nothing about whether the account exists. */
export class LoginThrottledError extends PlatformError {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super("TOO_MANY_REQUESTS", `Too many wrong attempts. Try again in ${Math.ceil(retryAfterMs / 1000)} seconds.`);
    this.retryAfterMs = retryAfterMs;
  }
}

interface Failures {
  at: number[];
  waitUntil: number;
}

/** A throttle that counts on this node. */
export function createLoginThrottle(clock: Clock): LoginThrottle {
  const failuresByPair = new Map<string, Failures>();
  const running = new Map<string, Promise<unknown>>();

  const recordFailure = (pair: string): void => {
    const now = clock.now();
    const at = [...(failuresByPair.get(pair)?.at ?? []).filter((time) => time > now - hourMs), now];
    failuresByPair.delete(pair);
    failuresByPair.set(pair, { at, waitUntil: now + delayAfter(at.length) });
    const oldest = failuresByPair.size > capacity ? failuresByPair.keys().next().value : undefined;
    if (oldest !== undefined) failuresByPair.delete(oldest);
  };
  const runOne = async <T>(pair: string, check: () => Promise<T | undefined>): Promise<T | undefined> => {
    const waitMs = (failuresByPair.get(pair)?.waitUntil ?? 0) - clock.now();
    if (waitMs > 0) throw new LoginThrottledError(waitMs);
    const result = await check();
    if (result === undefined) recordFailure(pair);
    else failuresByPair.delete(pair);
    return result;
  };

  return {
    async attempt(username, address, check) {
      const pair = `${username.toLowerCase()}\n${address}`;
      const before = running.get(pair) ?? Promise.resolve();
      const turn = before.then(() => runOne(pair, check));
      const settled = turn.catch(() => undefined);
      running.set(pair, settled);
      try {
        return await turn;
      } finally {
        if (running.get(pair) === settled) running.delete(pair);
      }
    },
  };
}

function delayAfter(tries: number): number {
  const { freeTries, firstDelayMs, longestDelayMs, lockTries, lockMs } = throttleRules;
  if (tries >= lockTries) return lockMs;
  return tries < freeTries ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** (tries - freeTries));
}
