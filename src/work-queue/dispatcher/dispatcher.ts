import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Store, WorkItem, Write } from "../../store/store.ts";
import type { WorkQueue, WorkRunner } from "../work-queue.ts";
import { Alarm } from "./alarm.ts";
import { backOffMs } from "./back-off.ts";
import { Leases } from "./leases.ts";
import { Places } from "./places.ts";

export interface DispatcherOptions {
  store: Pick<Store, "claimWork" | "commit" | "nextWorkAt">;
  clock: Clock;
  logger: Logger;
  /** Items that run here at the same time, at most. Default 256. */
  concurrency?: number;
  /** How far ahead of its due time an item is kept while it runs: also the time until others take over from a dead node. Whole milliseconds, default 2,000. */
  leaseMs?: number;
}

const defaultGraceMs = 5000;
const storeRetryMs = 1000;

/** The work queue of a node: dispatches the store's work items, of which other nodes on the same store take their share. */
export function createDispatcher(options: DispatcherOptions): WorkQueue {
  return new Dispatcher(options);
}

class Dispatcher implements WorkQueue {
  readonly #store: DispatcherOptions["store"];
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #leaseMs: number;
  readonly #leases: Leases;
  readonly #places: Places;
  readonly #alarm: Alarm;
  #runner: WorkRunner | undefined;
  #heldBack: readonly string[] = [];
  #isTaking = false;
  #isTakingWanted = false;
  /** Due items were left because every place was taken. */
  #hasBacklog = false;
  /** How soon this node looks for items of others: sooner after it found some. */
  #lookAgainMs: number;
  #quietWaiters: (() => void)[] = [];

  constructor({ store, clock, logger, concurrency = 256, leaseMs = 2000 }: DispatcherOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#leaseMs = leaseMs;
    this.#lookAgainMs = leaseMs;
    this.#places = new Places(concurrency);
    this.#alarm = new Alarm(clock, () => void this.#takeDue());
    this.#leases = new Leases({ store, clock, logger, leaseMs, onFlushed: (hasDue) => this.#flushed(hasDue) });
  }

  enqueue(item: WorkItem): Write {
    return { kind: "enqueue", item };
  }

  complete(itemId: string): Write {
    return { kind: "complete", itemId };
  }

  committed(items: readonly WorkItem[]): void {
    if (!this.#runner || items.length === 0) return;
    const earliest = items.reduce((least, { runAt }) => Math.min(least, runAt), Number.POSITIVE_INFINITY);
    if (earliest <= this.#clock.now()) void this.#takeDue();
    else this.#alarm.setFor(earliest);
  }

  runLocally(item: WorkItem): void {
    if (this.#leases.has(item.id) || this.#heldBack.includes(item.kind)) return;
    if (item.runAt <= this.#clock.now()) {
      // Its commit took longer than the lease: by now it may run elsewhere, and must be claimed.
      this.committed([item]);
      return;
    }
    if (this.#runner && this.#places.free("local") > 0) {
      this.#leases.hold(item.id, item.runAt);
      void this.#run(item, this.#runner, "local");
      return;
    }
    this.#leases.makeDue(item);
  }

  holdBack(kinds: readonly string[]): void {
    this.#heldBack = [...kinds];
    if (this.#runner) void this.#takeDue();
  }

  async start(runner: WorkRunner): Promise<void> {
    if (this.#runner) throw new Error("the work queue is started already");
    this.#runner = runner;
    await this.#takeDue();
  }

  async stop(graceMs = defaultGraceMs): Promise<void> {
    this.#runner = undefined;
    this.#alarm.cancel();
    if (graceMs > 0) await this.#quietWithin(graceMs);
    this.#leases.stop();
  }

  async idle(): Promise<void> {
    for (;;) {
      await this.#quiet();
      if (!this.#runner) return;
      const next = await this.#store.nextWorkAt(this.#heldBack);
      if ((next === undefined || next > this.#clock.now()) && this.#isQuiet()) return;
      await this.#takeDue();
    }
  }

  /** Takes what is due, again and again while there may be more, and sets the alarm for what comes next. */
  async #takeDue(): Promise<void> {
    this.#isTakingWanted = true;
    if (this.#isTaking) return;
    this.#isTaking = true;
    try {
      while (this.#isTakingWanted && this.#runner) {
        this.#isTakingWanted = false;
        await this.#takeOnce(this.#runner);
        await this.#setAlarm();
      }
    } catch (error) {
      this.#logger.warn("due work could not be read", { error: String(error) });
      if (this.#runner) this.#alarm.setFor(this.#clock.now() + storeRetryMs);
    }
    this.#isTaking = false;
    this.#tellQuiet();
  }

  async #takeOnce(runner: WorkRunner): Promise<void> {
    const free = this.#places.free("due");
    this.#hasBacklog = free <= 0;
    if (free <= 0) return;
    const until = this.#clock.now() + this.#leaseMs;
    const claimed = await this.#store.claimWork(this.#clock.now(), until, free, this.#heldBack);
    this.#hasBacklog = claimed.length === free;
    this.#lookAgainMs = claimed.length > 0 ? this.#leaseMs / 16 : Math.min(this.#leaseMs, this.#lookAgainMs * 2);
    // This node was held up, perhaps stopped: the items are due again, and run elsewhere by now.
    if (this.#clock.now() >= until) return;
    const { wanted, unwanted } = this.#sort(claimed, runner);
    for (const item of wanted) {
      const runsAlready = this.#leases.has(item.id);
      this.#leases.hold(item.id, until);
      // One that runs here came due because its lease was renewed too late: now it is.
      if (!runsAlready) void this.#run(item, runner, "due");
    }
    await this.#giveBack(unwanted, until);
  }

  /** What was claimed, apart from what meanwhile is not to be begun: its kind is held back, or the queue was stopped. */
  #sort(claimed: readonly WorkItem[], runner: WorkRunner) {
    const isWanted = ({ kind }: WorkItem): boolean => this.#runner === runner && !this.#heldBack.includes(kind);
    return { wanted: claimed.filter(isWanted), unwanted: claimed.filter((item) => !isWanted(item)) };
  }

  async #giveBack(items: readonly WorkItem[], until: number): Promise<void> {
    await this.#store.commit(
      items.map(({ id, runAt }) => ({ kind: "postpone", itemId: id, runAt, from: until }) as const),
    );
  }

  async #setAlarm(): Promise<void> {
    const now = this.#clock.now();
    const next = await this.#store.nextWorkAt(this.#heldBack);
    if (!this.#runner) return;
    // Items of other nodes are found at the latest after one lease; so is what is due but runs here.
    const lookAt = now + this.#lookAgainMs;
    this.#alarm.setFor(next === undefined || next <= now ? lookAt : Math.min(next, lookAt));
  }

  async #run(item: WorkItem, runner: WorkRunner, from: "local" | "due"): Promise<void> {
    this.#places.take(from);
    try {
      await runner(item);
    } catch (error) {
      await this.#retryLater(item, error);
    }
    this.#places.leave(from);
    this.#leases.release(item.id);
    if (this.#hasBacklog) void this.#takeDue();
    this.#tellQuiet();
  }

  async #retryLater(item: WorkItem, error: unknown): Promise<void> {
    const attempts = (item.attempts ?? 0) + 1;
    const delayMs = backOffMs(attempts);
    const runAt = this.#clock.now() + delayMs;
    this.#logger.warn("a work item failed and is tried again", {
      id: item.id,
      kind: item.kind,
      attempts,
      delayMs,
      error: String(error),
    });
    try {
      await this.#store.commit(this.#leases.retryWrites(item.id, runAt, attempts));
      if (this.#runner) this.#alarm.setFor(runAt);
    } catch (failure) {
      // It is due again when its lease ends.
      this.#logger.warn("a work item could not be moved", { id: item.id, error: String(failure) });
    }
  }

  /** Items that found no place are due in the store from now on. A look before that missed them, whatever it said of a backlog. */
  #flushed(hasDue: boolean): void {
    if (hasDue || this.#hasBacklog) void this.#takeDue();
    this.#tellQuiet();
  }

  #isQuiet(): boolean {
    return this.#leases.size === 0 && !this.#isTaking && !this.#leases.isFlushing;
  }

  #quiet(): Promise<void> {
    if (this.#isQuiet()) return Promise.resolve();
    return new Promise((resolve) => this.#quietWaiters.push(resolve));
  }

  async #quietWithin(graceMs: number): Promise<void> {
    let cancelGrace: () => void = () => undefined;
    const grace = new Promise<void>((resolve) => {
      cancelGrace = this.#clock.after(graceMs, resolve);
    });
    await Promise.race([this.#quiet(), grace]);
    cancelGrace();
  }

  #tellQuiet(): void {
    if (!this.#isQuiet()) return;
    for (const resolve of this.#quietWaiters.splice(0)) resolve();
  }
}
