/** Types of parameters; each is written with its cast, so that none is ever ambiguous. */
export type ParameterType = "text" | "text[]" | "float8" | "bigint";

/** Collects the values of a statement under construction; each distinct value is bound once. */
export class PostgresParameters {
  readonly values: (string | number)[] = [];
  readonly #placeholders = new Map<string, string>();
  #aliases = 0;

  /** The placeholder that stands for the value. Text must not hold U+0000. */
  bind(value: string | number, type: ParameterType): string {
    const key = `${type} ${value}`;
    let placeholder = this.#placeholders.get(key);
    if (placeholder === undefined) {
      this.values.push(value);
      placeholder = `$${this.values.length}::${type}`;
      this.#placeholders.set(key, placeholder);
    }
    return placeholder;
  }

  /** The same for a list of texts. */
  bindTexts(texts: readonly string[]): string {
    const elements = texts.map((text) => `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`);
    return this.bind(`{${elements.join(",")}}`, "text[]");
  }

  /** ` = text` or ` = ANY (texts)`. */
  equalsAny(texts: readonly string[]): string {
    const [only = ""] = texts;
    return texts.length === 1 ? `= ${this.bind(only, "text")}` : `= ANY (${this.bindTexts(texts)})`;
  }

  /** A table alias no other part of the statement has. */
  alias(): string {
    this.#aliases += 1;
    return `e${this.#aliases}`;
  }
}
