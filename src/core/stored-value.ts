/** What stands in answers and lists for a large value: where to read it, and how many characters of JSON text it has. */
export function largeValueMarker({ id, size }: { id: string; size: number }): { large_data: string; size: number } {
  return { large_data: id, size };
}

/**
 * A value that is kept in the store as JSON text because it is too large for memory. It is handed on as it is; whoever
 * wants what is in it reads the text piece by piece. It never changes. As JSON it is its marker.
 */
export class StoredValue {
  /** By which `large-data` finds it. */
  readonly id: string;
  /** Characters of its JSON text. */
  readonly size: number;
  /** The job at the top of the tree of jobs that it belongs to, and goes with. */
  readonly root: string;
  readonly #open: () => AsyncIterable<string>;

  constructor(value: { id: string; size: number; root: string }, open: () => AsyncIterable<string>) {
    this.id = value.id;
    this.size = value.size;
    this.root = value.root;
    this.#open = open;
  }

  /** Its JSON text in pieces of about a million characters, from the beginning. Fails with an Error when the job was deleted. */
  open(): AsyncIterable<string> {
    return this.#open();
  }

  toJSON(): { large_data: string; size: number } {
    return largeValueMarker(this);
  }
}
