/** Where an item comes from: committed on this node just now, or due in the store. */
export type ItemOrigin = "local" | "due";

/**
 * Places for items that run on this node. Each origin leaves some places to the other, so that neither a
 * backlog in the store nor a flood of new work starves it: a quarter is kept for local items, a sixteenth
 * for due ones.
 */
export class Places {
  readonly #total: number;
  readonly #most: Readonly<Record<ItemOrigin, number>>;
  readonly #taken: Record<ItemOrigin, number> = { local: 0, due: 0 };

  constructor(total: number) {
    this.#total = total;
    this.#most = { local: total - Math.floor(total / 16), due: total - Math.floor(total / 4) };
  }

  /** How many items of this origin may begin now. */
  free(origin: ItemOrigin): number {
    const free = this.#total - this.#taken.local - this.#taken.due;
    return Math.min(free, this.#most[origin] - this.#taken[origin]);
  }

  take(origin: ItemOrigin): void {
    this.#taken[origin] += 1;
  }

  leave(origin: ItemOrigin): void {
    this.#taken[origin] -= 1;
  }
}
