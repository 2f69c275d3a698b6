/** Items in the order they came, but each key in turn: one that asks for much does not hold the others up. */
export class FairQueue<Item> {
  // In the order of their turns.
  readonly #byKey = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: string, item: Item): void {
    const items = this.#byKey.get(key);
    if (items) items.push(item);
    else this.#byKey.set(key, [item]);
    this.#size += 1;
  }

  /** Takes the next item off. */
  take(): Item | undefined {
    const next = this.#byKey.entries().next();
    if (next.done) return undefined;
    const [key, items] = next.value;
    this.#byKey.delete(key);
    const item = items.shift();
    if (items.length > 0) this.#byKey.set(key, items);
    this.#size -= 1;
    return item;
  }

  /** Takes all items off. */
  clear(): Item[] {
    const items = [...this.#byKey.values()].flat();
    this.#byKey.clear();
    this.#size = 0;
    return items;
  }
}
