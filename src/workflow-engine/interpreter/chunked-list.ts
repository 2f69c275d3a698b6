/** Items of a chunk: what a change copies, beside one reference for each chunk. */
const chunkSize = 256;

/**
 * A list that is never changed, only followed by a changed one that shares most of it: a loop over 100,000
 * elements adds to such lists 100,000 times, and copies of arrays would cost its square.
 */
export class ChunkedList<T> implements Iterable<T> {
  /** All but the last are full. */
  readonly #chunks: readonly (readonly T[])[];
  readonly length: number;

  private constructor(chunks: readonly (readonly T[])[], length: number) {
    this.#chunks = chunks;
    this.length = length;
  }

  /** A list of these items. */
  static of<T>(items: readonly T[] = []): ChunkedList<T> {
    const chunks: T[][] = [];
    for (let from = 0; from < items.length; from += chunkSize) chunks.push(items.slice(from, from + chunkSize));
    return new ChunkedList(chunks, items.length);
  }

  /** The item at an index; from the end where it is negative. */
  at(index: number): T | undefined {
    // Nearly all lists are short.
    if (this.#chunks.length === 1) return this.#chunks[0]?.at(index);
    const place = index < 0 ? this.length + index : index;
    return this.#chunks[Math.floor(place / chunkSize)]?.[place % chunkSize];
  }

  /** The list with further items at its end. */
  append(items: readonly T[]): ChunkedList<T> {
    if (items.length === 0) return this;
    const length = this.length + items.length;
    if (length <= chunkSize) return new ChunkedList([[...this.#items(), ...items]], length);
    const isOpen = this.length % chunkSize !== 0;
    const kept = isOpen ? this.#chunks.slice(0, -1) : this.#chunks;
    const last = isOpen ? (this.#chunks.at(-1) ?? []) : [];
    const added = ChunkedList.of([...last, ...items]);
    return new ChunkedList([...kept, ...added.#chunks], length);
  }

  /** The list with another item at an index; the same list when it has no such index. */
  with(index: number, item: T): ChunkedList<T> {
    if (index < 0 || index >= this.length) return this;
    const number = Math.floor(index / chunkSize);
    const chunk = this.#chunks[number];
    if (!chunk) return this;
    return new ChunkedList(this.#chunks.with(number, chunk.with(index % chunkSize, item)), this.length);
  }

  /** The first items, at most so many. */
  first(count: number): T[] {
    const items: T[] = [];
    for (const chunk of this.#chunks) {
      if (items.length >= count) break;
      items.push(...chunk.slice(0, count - items.length));
    }
    return items;
  }

  /** The last items, at most so many, in order. */
  last(count: number): T[] {
    const items: T[] = [];
    for (let index = Math.max(0, this.length - count); index < this.length; index++) items.push(this.at(index) as T);
    return items;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items()[Symbol.iterator]();
  }

  /** As logs and answers write it. */
  toJSON(): readonly T[] {
    return this.#items();
  }

  #items(): readonly T[] {
    const [first = []] = this.#chunks;
    return this.#chunks.length <= 1 ? first : this.#chunks.flat();
  }
}
