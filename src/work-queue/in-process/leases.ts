import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Store, Write } from "../../store/store.ts";
import { Alarm } from "./alarm.ts";

type Postponement = Extract<Write, { kind: "postpone" }>;

export interface LeasesOptions {
  store: Store;
  clock: Clock;
  logger: Logger;
  leaseMs: number;
  /** Called when a commit of postponements has ended; `hasDue`: one of them was moved to now. */
  onFlushed: (hasDue: boolean) => void;
}

/**
 * Keeps the items that run on this node ahead of their due time, so that nobody else runs them; when
 * the node dies its leases end and the items are due again. All that is moved in one turn is one commit.
 */
export class Leases {
  readonly #options: LeasesOptions;
  /** Item → end of its lease. */
  readonly #held = new Map<string, number>();
  readonly #renewal: Alarm;
  #postponements = new Map<string, Postponement>();
  #flushes = 0;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#renewal = new Alarm(options.clock, () => this.#renew());
  }

  get size(): number {
    return this.#held.size;
  }

  /** True while postponements are on their way to the store. */
  get isFlushing(): boolean {
    return this.#flushes > 0;
  }

  has(itemId: string): boolean {
    return this.#held.has(itemId);
  }

  /** Holds an item that is due at `until` if nothing more is done. */
  hold(itemId: string, until: number): void {
    const { clock, leaseMs } = this.#options;
    this.#held.set(itemId, until);
    if (until < clock.now() + leaseMs / 3) this.#extend(itemId);
    this.#renewal.setFor(clock.now() + leaseMs / 3);
  }

  release(itemId: string): void {
    this.#held.delete(itemId);
    if (this.#held.size === 0) this.#renewal.cancel();
  }

  /** The write that puts an item one lease ahead of now. */
  claim(itemId: string): Postponement {
    const { clock, leaseMs } = this.#options;
    return { kind: "postpone", itemId, runAt: clock.now() + leaseMs };
  }

  /** Moves an item together with all others of this turn. Should that fail, the item keeps its time. */
  postpone(postponement: Postponement): void {
    if (this.#postponements.size === 0) {
      this.#flushes += 1;
      queueMicrotask(() => void this.#flush());
    }
    this.#postponements.set(postponement.itemId, postponement);
  }

  /** Renews no more; what is held becomes due when its lease ends. */
  stop(): void {
    this.#renewal.cancel();
  }

  #extend(itemId: string): void {
    const claim = this.claim(itemId);
    this.#held.set(itemId, claim.runAt);
    this.postpone(claim);
  }

  #renew(): void {
    const { clock, leaseMs } = this.#options;
    const soon = clock.now() + (leaseMs * 2) / 3;
    for (const [itemId, until] of this.#held) {
      if (until < soon) this.#extend(itemId);
    }
    if (this.#held.size > 0) this.#renewal.setFor(clock.now() + leaseMs / 3);
  }

  async #flush(): Promise<void> {
    const { store, clock, logger, onFlushed } = this.#options;
    const writes = [...this.#postponements.values()];
    this.#postponements = new Map();
    try {
      await store.commit(writes);
    } catch (error) {
      logger.warn("work items could not be moved", { items: writes.length, error: String(error) });
    }
    this.#flushes -= 1;
    onFlushed(writes.some(({ runAt }) => runAt <= clock.now()));
  }
}
