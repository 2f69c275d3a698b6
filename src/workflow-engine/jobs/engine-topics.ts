import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Store } from "../../store/store.ts";
import { CollectionFollower } from "./collection-follower.ts";
import { engineSource } from "./event-records.ts";
import { eventWaitCollection } from "./event-waits.ts";

export interface EngineTopicsServices {
  store: Store;
  clock: Clock;
  logger: Logger;
}

/** Longer than any commit takes. */
const addedForMs = 60_000;

/** A node looks every second. One that has not for so long was cut off or stood still, and knows nothing of others. */
const blindAfterMs = 5_000;

/**
 * Which of its own events somebody waits for: only those are stored. A node that did not start the waiting
 * task itself knows of it within a second; until then its events of that topic are not told. A node that could
 * not look for a while tells everything: somebody may wait by now.
 */
export class EngineTopics {
  readonly #services: EngineTopicsServices;
  /** Topic → when the newest of the tasks that wait for it began to. */
  #known: ReadonlyMap<string, number> = new Map();
  /** Topics that jobs of this node began to wait for; their rows may not be written yet. */
  readonly #added = new Map<string, number>();
  readonly #follower: CollectionFollower;
  /** When the last look began that came to its end; undefined: it has not begun to follow. */
  #lookedAt: number | undefined;

  constructor(services: EngineTopicsServices) {
    this.#services = services;
    this.#follower = new CollectionFollower({
      ...services,
      collection: eventWaitCollection,
      read: async () => {
        const beganAt = services.clock.now();
        this.#known = await this.#readTopics();
        this.#lookedAt = beganAt;
        this.#dropOld();
      },
    });
  }

  /** When the newest waiting task began to wait, milliseconds since the epoch, as far as is known: 0 where somebody may wait. Undefined: nobody waits. */
  newestWait(topic: string): number | undefined {
    const waits = [this.#known.get(topic), this.#added.get(topic), this.#isBlind() ? 0 : undefined];
    const known = waits.filter((at) => at !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  }

  #isBlind(): boolean {
    return this.#lookedAt !== undefined && this.#services.clock.now() - this.#lookedAt > blindAfterMs;
  }

  /** A task of a job of this node is about to wait. */
  add(topic: string, startedAt: number): void {
    this.#added.set(topic, Math.max(startedAt, this.#added.get(topic) ?? 0));
  }

  /** Learns of what is waited for, and follows it from now on. */
  async start(): Promise<void> {
    await this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  /** By now their rows are found, or the tasks wait no more. */
  #dropOld(): void {
    const until = this.#services.clock.now() - addedForMs;
    for (const [topic, startedAt] of this.#added) if (startedAt < until) this.#added.delete(topic);
  }

  /** One row for each topic: the newest. Nobody waits, as is usual: one look that finds nothing. */
  async #readTopics(): Promise<Map<string, number>> {
    const topics = new Map<string, number>();
    for (;;) {
      const query = { source: engineSource, topic: { $nin: [...topics.keys()] } };
      const [row] = await this.#find(query, {});
      if (!row) return topics;
      const [newest = row] = await this.#find({ source: engineSource, topic: row.topic }, { sort: { startedAt: -1 } });
      topics.set(row.topic, newest.startedAt);
    }
  }

  #find(query: Parameters<Store["find"]>[1], options: { sort?: Record<string, 1 | -1> }): Promise<TopicRow[]> {
    const fields = { topic: 1, startedAt: 1 } as const;
    return this.#services.store.find<TopicRow>(eventWaitCollection, query, { ...options, fields, limit: 1 });
  }
}

interface TopicRow {
  topic: string;
  startedAt: number;
}
