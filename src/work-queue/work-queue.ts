import type { WorkItem, Write } from "../store/store.ts";

/** Runs one item. Resolved: the item is done and completed by the runner's own commit. Rejected: tried again with back-off. */
export type WorkRunner = (item: WorkItem) => Promise<void>;

/**
 * Work that must happen at least once: timers, retries, and the durable twins of calls that the
 * committing node already runs. Enqueueing and completing are writes of the same transaction as the
 * job's event, so an item exists exactly when the state that needs it does.
 */
export interface WorkQueue {
  /** The write that makes the item durable. An item with the same id is replaced. */
  enqueue(item: WorkItem): Write;
  /** The write that removes the item: goes into the commit that records its result. */
  complete(itemId: string): Write;
  /** Tells the queue that these items were committed and what is due first, so that it wakes in time. */
  committed(items: readonly WorkItem[]): void;
  /** Runs the item here and now; its twin is pushed ahead while that lasts, and left to the queue should this node die. */
  runLocally(item: WorkItem): void;
  /**
   * Begins no items of these kinds from now on, wherever they come from, and of all others again. What is
   * held back stays in the store; what runs is not disturbed.
   */
  holdBack(kinds: readonly string[]): void;
  /** Begins to run due items with `runner`. */
  start(runner: WorkRunner): Promise<void>;
  /** Takes no new items, waits for those under way (at most `graceMs`), then returns. */
  stop(graceMs?: number): Promise<void>;
  /** Resolves when nothing is due or under way here, but what is held back: what tests wait for. */
  idle(): Promise<void>;
}
