import type { TemplateValue } from "./template-values.ts";

/** What a cell of a record holds: text, or a list of texts or of objects of texts. */
export type RecordCell = string | ListElement[];
type ListElement = string | null | Record<string, string | null>;

/** A value while a text is read. */
export class CollectedValue {
  readonly #declared: TemplateValue;
  #value: string | ListElement[] | null = null;
  /** For `Filldown`: what was assigned last. */
  #kept: string | null | ListElement[] = null;
  #list: ListElement[] = [];

  constructor(declared: TemplateValue) {
    this.#declared = declared;
  }

  get value(): string | ListElement[] | null {
    return this.#value;
  }

  #has(option: "Fillup" | "Filldown" | "List"): boolean {
    return this.#declared.options.has(option);
  }

  /** Is it to be filled into the records above, up to the first that has one? */
  get fillsUp(): boolean {
    return this.#has("Fillup") && this.#value !== null && this.#value !== "";
  }

  assign(text: string | null): void {
    this.#value = text;
    if (this.#has("Filldown")) this.#kept = text;
    if (this.#has("List")) this.#list.push(this.#element(text));
  }

  #element(text: string | null): ListElement {
    const { parts } = this.#declared;
    if (!parts || text === null) return text;
    parts.lastIndex = 0;
    const found = parts.exec(text);
    if (!found?.groups) return text;
    return Object.fromEntries(Object.entries(found.groups).map(([name, part]) => [name, part ?? null]));
  }

  /** Prepares for a record, option by option in their order; false: the record is to be left out. */
  save(): boolean {
    for (const option of this.#declared.options) {
      if (option === "List") this.#value = [...this.#list];
      if (option === "Required" && (this.#value === null || this.#value.length === 0)) return false;
    }
    return true;
  }

  clear(): void {
    this.#value = this.#has("Filldown") ? this.#kept : null;
    if (this.#has("List") && !this.#has("Filldown")) this.#list = [];
  }

  clearAll(): void {
    this.#value = null;
    this.#kept = null;
    this.#list = [];
  }
}
