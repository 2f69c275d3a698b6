/**
 * How a name of a scope gets its first value: `parameter`: from outside; `context`: looked up when the scope is
 * entered; `outer`: a copy of the outer scope's; `none`: it has none before it is stored.
 */
export type Load = "parameter" | "context" | "outer" | "none";

/** Where a name is found: so many scopes out, in this slot. */
export interface Place {
  hops: number;
  slot: number;
}

/** A name that is stored somewhere, and where. */
export interface StoredName {
  name: string;
  place: Place;
}

/**
 * The names of one scope, as Jinja decides them while it compiles: a name that a scope stores anywhere is its own
 * from the beginning, all others are those of the outer scope.
 */
export class Symbols {
  readonly parent: Symbols | undefined;
  /** Of a branch: what was known before it. The rest is what the branch adds. */
  readonly #before: Symbols | undefined;
  /** Slots by name, shared by all branches. */
  readonly #slots: Map<string, number>;
  readonly #names = new Set<string>();
  readonly #loads = new Map<string, Load>();
  readonly #stores = new Set<string>();
  #stored: readonly StoredName[] | undefined;

  constructor(parent: Symbols | undefined, before?: Symbols) {
    this.parent = parent;
    this.#before = before;
    this.#slots = before ? before.#slots : new Map();
  }

  get slotCount(): number {
    return this.#slots.size;
  }

  /** Where the name is found; undefined for names that were not seen. */
  find(name: string): Place | undefined {
    if (this.#isKnown(name)) return { hops: 0, slot: this.slotOf(name) };
    const further = this.parent?.find(name);
    return further && { hops: further.hops + 1, slot: further.slot };
  }

  slotOf(name: string): number {
    const found = this.#slots.get(name);
    if (found !== undefined) return found;
    this.#slots.set(name, this.#slots.size);
    return this.#slots.size - 1;
  }

  declare(name: string): void {
    this.#stores.add(name);
    this.#define(name, "parameter");
  }

  store(name: string): void {
    this.#stores.add(name);
    if (!this.#isKnown(name)) this.#define(name, this.parent?.has(name) ? "outer" : "none");
  }

  load(name: string): void {
    if (!this.has(name)) this.#define(name, "context");
  }

  /** Was the name seen, here or further out? */
  has(name: string): boolean {
    return this.#isKnown(name) || (this.parent !== undefined && this.parent.has(name));
  }

  #isKnown(name: string): boolean {
    return this.#names.has(name) || (this.#before !== undefined && this.#before.#isKnown(name));
  }

  #isStored(name: string): boolean {
    return this.#stores.has(name) || (this.#before !== undefined && this.#before.#isStored(name));
  }

  /** The same scope inside an `if`, until it is joined. */
  branch(): Symbols {
    return new Symbols(this.parent, this);
  }

  /** Takes over what branches of an `if` know. A name that only some of them store comes from outside before. */
  join(branches: readonly Symbols[]): void {
    const stored = branches.flatMap((branch) => [...branch.#stores]).filter((name) => !this.#isStored(name));
    for (const branch of branches) {
      for (const name of branch.#names) this.#names.add(name);
      for (const [name, load] of branch.#loads) this.#loads.set(name, load);
      for (const name of branch.#stores) this.#stores.add(name);
    }
    for (const name of stored) this.#loads.set(name, this.parent?.has(name) ? "outer" : "context");
  }

  /** How the names of this scope begin. */
  *loads(): Generator<{ name: string; load: Load; slot: number }> {
    for (const [name, load] of this.#loads) yield { name, load, slot: this.slotOf(name) };
  }

  /** Every name stored here or further out, with its place; one list for all who ask once the scope is analysed. */
  stored(): readonly StoredName[] {
    this.#stored ??= [...this.#allStores()].flatMap((name) => {
      const place = this.find(name);
      return place ? [{ name, place }] : [];
    });
    return this.#stored;
  }

  #allStores(): ReadonlySet<string> {
    return this.parent ? new Set([...this.#stores, ...this.parent.#allStores()]) : this.#stores;
  }

  #define(name: string, load: Load): void {
    this.#names.add(name);
    this.#loads.set(name, load);
  }
}
