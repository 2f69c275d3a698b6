const firstDelayMs = 250;
const longestDelayMs = 60_000;

/** How long to wait before a run is tried again, in milliseconds: doubled with each failed attempt (from 1), up to a minute. */
export function backOffMs(attempts: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, attempts - 1));
}
