import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Store, WorkItem, Write } from "../../store/store.ts";
import type { WorkQueue, WorkRunner } from "../work-queue.ts";
import { Alarm } from "./alarm.ts";
import { backOffMs } from "./back-off.ts";
import { Leases } from "./leases.ts";

export interface InProcessQueueOptions {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Items that run here at the same time, at most. Default 256. */
  concurrency?: number;
  /** How far ahead the twin of a running item is kept: also the time until others take over from a dead node. Default 5,000. */
  localLeaseMs?: number;
}

const defaultGraceMs = 5000;
const storeRetryMs = 1000;

/** A work queue on the store's work items, dispatched by this process. */
export function createInProcessQueue(options: InProcessQueueOptions): WorkQueue {
  return new InProcessQueue(options);
}

class InProcessQueue implements WorkQueue {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #concurrency: number;
  readonly #leaseMs: number;
  readonly #leases: Leases;
  readonly #alarm: Alarm;
  #runner: WorkRunner | undefined;
  #isTaking = false;
  #isTakingWanted = false;
  /** Due items were left because every place was taken. */
  #hasBacklog = false;
  #quietWaiters: (() => void)[] = [];

  constructor({ store, clock, logger, concurrency = 256, localLeaseMs = 5000 }: InProcessQueueOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#concurrency = concurrency;
    this.#leaseMs = localLeaseMs;
    this.#alarm = new Alarm(clock, () => void this.#takeDue());
    this.#leases = new Leases({
      store,
      clock,
      logger,
      leaseMs: localLeaseMs,
      onFlushed: (hasDue) => this.#flushed(hasDue),
    });
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
    if (this.#leases.has(item.id)) return;
    if (this.#runner && this.#leases.size < this.#concurrency) {
      this.#leases.hold(item.id, item.runAt);
      void this.#run(item, this.#runner);
      return;
    }
    this.#leases.postpone({ kind: "postpone", itemId: item.id, runAt: this.#clock.now() });
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
      const next = await this.#store.nextWorkAt();
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
    const free = this.#concurrency - this.#leases.size;
    this.#hasBacklog = free <= 0;
    if (free <= 0) return;
    const until = this.#clock.now() + this.#leaseMs;
    const claimed = await this.#store.claimWork(this.#clock.now(), until, free);
    this.#hasBacklog = claimed.length === free;
    // One that runs here already came due because its lease was renewed too late: now it is renewed.
    const taken = claimed.filter(({ id }) => !this.#leases.has(id));
    taken.forEach(({ id }) => this.#leases.hold(id, until));
    taken.forEach((item) => void this.#run(item, runner));
  }

  async #setAlarm(): Promise<void> {
    const now = this.#clock.now();
    const next = await this.#store.nextWorkAt();
    if (!this.#runner) return;
    // Items of other nodes are found at the latest after one lease; so is what is due but runs here.
    const recheckAt = now + this.#leaseMs;
    this.#alarm.setFor(next === undefined || next <= now ? recheckAt : Math.min(next, recheckAt));
  }

  async #run(item: WorkItem, runner: WorkRunner): Promise<void> {
    try {
      await runner(item);
    } catch (error) {
      await this.#retryLater(item, error);
    }
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
      await this.#store.commit([{ kind: "postpone", itemId: item.id, runAt, attempts }]);
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
