/** What a load came to: rate, and response times in milliseconds. */
export interface LoadResult {
  clients: number;
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const shortestWarmUpMs = 1_000;

/**
 * Runs `request` from `clients` loops side by side for `durationMs`, after a warm-up of a second or a fifth of
 * that. `whenWarm` is called between the two.
 */
export async function runClosedLoop(
  clients: number,
  durationMs: number,
  request: (client: number) => Promise<void>,
  whenWarm?: () => Promise<void>,
): Promise<LoadResult> {
  await loops(clients, Math.max(shortestWarmUpMs, durationMs / 5), request);
  await whenWarm?.();
  const startedAt = performance.now();
  const times = await loops(clients, durationMs, request);
  const seconds = (performance.now() - startedAt) / 1000;
  return { clients, requests: times.length, perSecond: perSecond(times.length, seconds), ...percentiles(times) };
}

/** The middle and the worst hundredth of some times, in their unit. */
export function percentiles(times: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** A rate, with a decimal where it is small. */
export function perSecond(count: number, seconds: number): number {
  const rate = count / seconds;
  return rate < 100 ? Number(rate.toFixed(1)) : Math.round(rate);
}

async function loops(
  clients: number,
  durationMs: number,
  request: (client: number) => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + durationMs;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < until) {
        const startedAt = performance.now();
        await request(client);
        times.push(performance.now() - startedAt);
      }
    }),
  );
  return times;
}
