import type { Clock } from "../../core/clock.ts";
import { StoreUnavailableError } from "../../store/store.ts";

const mostAttempts = 30;
const longestPauseMs = 2_000;

/**
 * Writes what may not be repeatable in another way: while the store is away it is tried again, for about a minute.
 * `write` must do no harm when it is done twice. The last StoreUnavailableError is thrown, as any other error is at once.
 */
export async function persistently<T>(clock: Clock, write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || attempt === mostAttempts) throw error;
    }
    const pauseMs = Math.min(longestPauseMs, 50 * 2 ** attempt);
    await new Promise<void>((resolve) => void clock.after(pauseMs, resolve));
  }
}
