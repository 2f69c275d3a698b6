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

/**
 * Which of its own events somebody waits for: only those are stored. A node that did not start the waiting
 * task itself knows of it within a second; until then its events of that topic are not told.
 */
export class EngineTopics {
  readonly #services: EngineTopicsServices;
  /** Topic → when the newest of the tasks that wait for it began to. */
  #known: ReadonlyMap<string, number> = new Map();
  /** Topics that jobs of this node began to wait for; their rows may not be written yet. */
  readonly #added = new Map<string, number>();
  readonly #follower: CollectionFollower;

  constructor(services: EngineTopicsServices) {
    this.#services = services;
    this.#follower = new CollectionFollower({
      ...services,
      collection: eventWaitCollection,
      read: async () => {
        this.#known = await this.#readTopics();
        this.#dropOld();
      },
    });
  }

  /** When the newest waiting task began to wait, milliseconds since the epoch; undefined: nobody waits. */
  newestWait(topic: string): number | undefined {
    const known = this.#known.get(topic);
    const added = this.#added.get(topic);
    if (known === undefined || added === undefined) return known ?? added;
    return Math.max(known, added);
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
