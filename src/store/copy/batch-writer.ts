import type { Store, Write } from "../store.ts";

const mostWrites = 2_000;
/** Characters of documents, events and payloads in one commit: bounds the memory both sides need. */
const mostCharacters = 4_000_000;

/** A write with the number of characters it carries. */
export interface SizedWrite {
  write: Write;
  characters: number;
}

/** Gathers writes into commits of bounded size, in order: one is under way while the next is gathered. */
export class BatchWriter {
  readonly #store: Store;
  #writes: Write[] = [];
  #characters = 0;
  #underWay: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Resolves when there is room for more. Rejects when a commit failed. */
  async add({ write, characters }: SizedWrite): Promise<void> {
    this.#writes.push(write);
    this.#characters += characters;
    if (this.#writes.length >= mostWrites || this.#characters >= mostCharacters) await this.#send();
  }

  /** Resolves when everything added is durable. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#underWay;
  }

  async #send(): Promise<void> {
    await this.#underWay;
    const writes = this.#writes;
    this.#writes = [];
    this.#characters = 0;
    this.#underWay = this.#store.commit(writes);
    // Told to whoever adds or flushes next; until then it is not unhandled.
    this.#underWay.catch(() => undefined);
  }
}
