/** What a load came to: rate, and response times in milliseconds. */
export interface LoadResult {
  clients: number;
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Runs `request` from `clients` loops side by side for `durationMs`, after a warm-up of a fifth of that. */
export async function runClosedLoop(
  clients: number,
  durationMs: number,
  request: (client: number) => Promise<void>,
): Promise<LoadResult> {
  await loops(clients, durationMs / 5, request);
  const startedAt = performance.now();
  const times = await loops(clients, durationMs, request);
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2));
  return {
    clients,
    requests: times.length,
    perSecond: Math.round(times.length / seconds),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
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
