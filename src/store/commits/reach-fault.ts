import type { FaultPoint, StoreFaults } from "../faults.ts";
import { StoreUnavailableError, type Write } from "../store.ts";

/** Reaches a point of a commit where a test may break in; what it throws is the store's not being available. */
export async function reachFault(
  faults: StoreFaults,
  phase: FaultPoint["phase"],
  writes: readonly Write[],
): Promise<void> {
  try {
    await faults({ phase, writes });
  } catch (error) {
    throw new StoreUnavailableError(
      `The store is not available: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
