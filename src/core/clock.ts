/** Where the platform reads time from. Passed in everywhere, so that tests hold time in their hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

// setTimeout fires at once for delays beyond 31 bits; longer waits are taken in steps.
const longestTimeoutMs = 2_147_483_647;

/** The clock of the machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    let timer: NodeJS.Timeout;
    const wait = (remainingMs: number): void => {
      const stepMs = Math.min(remainingMs, longestTimeoutMs);
      timer = setTimeout(() => (remainingMs > stepMs ? wait(remainingMs - stepMs) : callback()), stepMs);
      timer.unref();
    };
    wait(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};
