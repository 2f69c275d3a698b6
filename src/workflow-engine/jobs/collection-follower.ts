import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Store } from "../../store/store.ts";

export interface FollowedCollection {
  store: Store;
  clock: Clock;
  logger: Logger;
  collection: string;
  /** Reads from the store what this node has to know of the collection. */
  read(): Promise<void>;
}

/** News of changes may be missed, so the store is asked as often as this. */
const lookEveryMs = 1_000;

/** Keeps what a node knows of a collection up to date: within a second on every node, whoever changes it. */
export class CollectionFollower {
  readonly #followed: FollowedCollection;
  #looking: Promise<void> | undefined;
  #isStale = false;
  #cancelLook: () => void = () => undefined;
  #unwatch: () => void = () => undefined;

  constructor(followed: FollowedCollection) {
    this.#followed = followed;
  }

  /** Reads at once, and follows from now on. */
  async start(): Promise<void> {
    const { store, collection } = this.#followed;
    this.#unwatch = store.watch((changes) => {
      if (changes.some((change) => change.collection === collection)) void this.#follow();
    });
    this.#lookAgain();
    await this.look();
  }

  stop(): void {
    this.#cancelLook();
    this.#unwatch();
  }

  /** Reads what there is after this call: a reading under way may miss it and is followed by another. */
  look(): Promise<void> {
    this.#isStale = true;
    this.#looking ??= this.#readAll();
    return this.#looking;
  }

  #lookAgain(): void {
    this.#cancelLook = this.#followed.clock.after(lookEveryMs, () => {
      this.#lookAgain();
      void this.#follow();
    });
  }

  /** A store that is away leaves things as they were. */
  async #follow(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      const { logger, collection } = this.#followed;
      logger.debug("what all nodes share could not be read", { collection, error: String(error) });
    }
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#followed.read();
      }
    } finally {
      this.#looking = undefined;
    }
  }
}
