import { createSystemClock, type SteadyClock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { Store } from "../store/store.ts";

const lookMs = 10_000;

/** A clock that all nodes on a store have in common. */
export interface SharedClock {
  clock: SteadyClock;
  /** Looks at the store's time no more. */
  stop(): void;
}

/**
 * A steady clock that follows the store's time of day instead of the machine's: leases and due times are
 * compared across nodes, whatever their own clocks say. While the store is away the last difference holds.
 */
export async function createSharedClock(store: Store, logger: Logger): Promise<SharedClock> {
  let aheadMs = await store.aheadMs();
  const clock = createSystemClock(logger, () => Date.now() + aheadMs);
  let cancel: () => void = () => undefined;
  const lookLater = (): void => {
    cancel = clock.after(lookMs, () => {
      void store
        .aheadMs()
        .then((ms) => {
          aheadMs = ms;
        })
        .catch(() => undefined);
      lookLater();
    });
  };
  if (store.isShared) lookLater();
  return { clock, stop: () => cancel() };
}
