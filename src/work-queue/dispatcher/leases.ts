import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Store, WorkItem, Write } from "../../store/store.ts";
import { Alarm } from "./alarm.ts";

type Postponement = Extract<Write, { kind: "postpone" }>;

export interface LeasesOptions {
  store: Pick<Store, "commit">;
  clock: Clock;
  logger: Logger;
  leaseMs: number;
  /** Called when a commit of moved items has ended; `hasDue`: one of them is due by now. */
  onFlushed: (hasDue: boolean) => void;
}

/** An item on its way to another time. */
interface Move {
  runAt: number;
  /** It is moved only while it is due at one of these. */
  from: readonly number[];
}

/** So many times an item may have while commits are unanswered; the first is the likeliest, the last the newest. */
const mostTimes = 4;

/**
 * Keeps the items that run on this node ahead of their due time, so that nobody else runs them; when
 * the node dies its leases end and the items are due again. An item is moved only from the time this node
 * gave it: a node that was stopped, and whose items run elsewhere by now, moves nothing. What is to be
 * moved in one turn, or while a commit is under way, is one commit.
 */
export class Leases {
  readonly #options: LeasesOptions;
  /** Item → the end of its lease; several while it is not known which of our commits were written. */
  readonly #held = new Map<string, number[]>();
  readonly #renewal: Alarm;
  #moves = new Map<string, Move>();
  #isFlushing = false;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#renewal = new Alarm(options.clock, () => this.#renew());
  }

  get size(): number {
    return this.#held.size;
  }

  /** True while moves are on their way to the store. */
  get isFlushing(): boolean {
    return this.#isFlushing;
  }

  has(itemId: string): boolean {
    return this.#held.has(itemId);
  }

  /** Holds an item that is due at `until` if nothing more is done. */
  hold(itemId: string, until: number): void {
    const { clock, leaseMs } = this.#options;
    this.#held.set(itemId, [until]);
    if (until < clock.now() + leaseMs / 3) this.#extend(itemId);
    this.#renewal.setFor(clock.now() + leaseMs / 3);
  }

  release(itemId: string): void {
    this.#held.delete(itemId);
    if (this.#held.size === 0) this.#renewal.cancel();
  }

  /** The writes that move a held item to the time of its next attempt, if this node holds it still. */
  retryWrites(itemId: string, runAt: number, attempts: number): Postponement[] {
    const times = this.#held.get(itemId) ?? [];
    return times.map((from) => ({ kind: "postpone", itemId, runAt, attempts, from }));
  }

  /** Makes an item that nobody holds due now. Should that fail, it keeps its time. */
  makeDue(item: WorkItem): void {
    this.#move(item.id, { runAt: this.#options.clock.now(), from: [item.runAt] });
  }

  /** Renews no more; what is held becomes due when its lease ends. */
  stop(): void {
    this.#renewal.cancel();
  }

  #extend(itemId: string): void {
    const { clock, leaseMs } = this.#options;
    const times = this.#held.get(itemId) ?? [];
    const runAt = clock.now() + leaseMs;
    this.#move(itemId, { runAt, from: [...times] });
    if (times.length === mostTimes) times.pop();
    times.push(runAt);
  }

  #renew(): void {
    const { clock, leaseMs } = this.#options;
    const soon = clock.now() + (leaseMs * 2) / 3;
    for (const [itemId, times] of this.#held) {
      if ((times.at(-1) ?? 0) < soon) this.#extend(itemId);
    }
    if (this.#held.size > 0) this.#renewal.setFor(clock.now() + leaseMs / 3);
  }

  #move(itemId: string, move: Move): void {
    this.#moves.set(itemId, move);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    const { store, clock, logger, onFlushed } = this.#options;
    while (this.#moves.size > 0) {
      const moves = this.#moves;
      this.#moves = new Map();
      try {
        await store.commit(movingWrites(moves));
        for (const [itemId, { runAt }] of moves) this.#confirm(itemId, runAt);
      } catch (error) {
        logger.warn("work items could not be moved", { items: moves.size, error: String(error) });
      }
      this.#isFlushing = this.#moves.size > 0;
      onFlushed([...moves.values()].some(({ runAt }) => runAt <= clock.now()));
    }
  }

  /** The commit that moved an item is written: what it was before no longer counts. */
  #confirm(itemId: string, runAt: number): void {
    const times = this.#held.get(itemId);
    if (times?.includes(runAt)) this.#held.set(itemId, [runAt, ...times.filter((time) => time > runAt)]);
  }
}

/** First each item's first time, then the second ones: a store writes at once what concerns different rows. */
function movingWrites(moves: ReadonlyMap<string, Move>): Postponement[] {
  const writes: Postponement[] = [];
  for (let turn = 0; turn < mostTimes; turn++) {
    for (const [itemId, { runAt, from }] of moves) {
      const time = from[turn];
      if (time !== undefined) writes.push({ kind: "postpone", itemId, runAt, from: time });
    }
  }
  return writes;
}
