/** Collects the values of a statement under construction; each distinct value is bound once, whatever the order of the text. */
export class SqlParameters {
  readonly values: Record<string, string | number> = {};
  readonly #names = new Map<string | number, string>();
  #aliases = 0;

  /** The placeholder that stands for the value. */
  bind(value: string | number): string {
    let name = this.#names.get(value);
    if (name === undefined) {
      name = `p${this.#names.size}`;
      this.#names.set(value, name);
      this.values[name] = value;
    }
    return `@${name}`;
  }

  /** A table alias no other part of the statement has. */
  alias(): string {
    this.#aliases += 1;
    return `e${this.#aliases}`;
  }
}
