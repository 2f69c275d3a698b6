import { PlatformError } from "../core/errors.ts";

/**
 * Calls `work` for each device, at most `parallel` at a time, and gives the results in the order of the
 * devices. After a failure no further device is begun; those under way come to their end, then the
 * failures are told together.
 */
export async function runOnDevices<Result>(
  devices: readonly string[],
  parallel: number,
  work: (device: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: { index: number; error: unknown }[] = [];
  let next = 0;
  async function takeNext(): Promise<void> {
    while (next < devices.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(devices[index] ?? "");
      } catch (error) {
        failures.push({ index, error });
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, devices.length) }, takeNext));
  if (failures.length > 0)
    throw together(failures.sort((one, other) => one.index - other.index).map(({ error }) => error));
  return results;
}

function together(errors: readonly unknown[]): unknown {
  const told = errors.filter((error) => error instanceof PlatformError);
  const first = told[0];
  if (!first || told.length < errors.length) return errors.find((error) => !(error instanceof PlatformError)) ?? first;
  return told.length === 1
    ? first
    : new PlatformError(first.code, [...new Set(told.map((error) => error.message))].join("; "), first.details);
}
