import type { Budget } from "../limits.ts";
import { Dict, DictView } from "./dict.ts";
import { floatRepr } from "./float-text.ts";
import { isPlain, quote } from "./quote.ts";
import { Undefined } from "./undefined.ts";
import { Markup, PythonObject, Range, Slice, Tuple, type Value } from "./value.ts";

/** What printing the value gives: Python's `str`. */
export function textOf(budget: Budget, value: Value): string {
  if (typeof value === "string") return value;
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) return "";
  if (value instanceof PythonObject && value.asText) return value.asText();
  return reprOf(budget, value);
}

/** How the value is shown inside lists: Python's `repr`. */
export function reprOf(budget: Budget, value: Value): string {
  const text = plainText(value);
  if (text === undefined) return new Shower(budget).show(value);
  budget.charge(1 + (text.length >> 4));
  return text;
}

/** None, bools and numbers; undefined for everything else. */
function plainText(value: Value): string | undefined {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return floatRepr(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : undefined;
}

class Shower {
  readonly #budget: Budget;
  /** Values that are being shown: those that hold themselves are cut off there. */
  readonly #open = new Set<Value>();
  #length = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  show(value: Value): string {
    this.#budget.charge(1);
    if (typeof value === "string") return this.#quoted(value);
    if (typeof value === "object" && value !== null) return this.#object(value);
    return plainText(value) ?? "";
  }

  #quoted(text: string): string {
    if (isPlain(text)) this.#budget.chargeScan(text.length);
    else this.#budget.chargeCharacters(text.length);
    return this.#counted(quote(text));
  }

  #counted(text: string): string {
    this.#length += text.length;
    this.#budget.chargeText(this.#length);
    return text;
  }

  #object(value: Value[] | PythonObject): string {
    if (Array.isArray(value)) return this.#nested(value, "[...]", () => `[${this.#list(value)}]`);
    if (value instanceof Dict) return this.#nested(value, "{...}", () => `{${this.#members(value)}}`);
    if (value instanceof Tuple) return this.#tuple(value);
    if (value instanceof Markup) return `Markup(${this.#quoted(value.text)})`;
    if (value instanceof Range) {
      const step = value.step === 1n ? "" : `, ${value.step}`;
      return `range(${value.start}, ${value.stop}${step})`;
    }
    if (value instanceof DictView) {
      const shown = () => `${value.typeName}([${this.#list([...value.values()])}])`;
      return this.#nested(value, "...", shown);
    }
    if (value instanceof Slice)
      return `slice(${this.show(value.start)}, ${this.show(value.stop)}, ${this.show(value.step)})`;
    return this.#nested(value, "...", () => value.repr((inner) => this.show(inner)));
  }

  #tuple(value: Tuple): string {
    const end = value.items.length === 1 ? "," : "";
    return this.#nested(value, "(...)", () => `(${this.#list(value.items)}${end})`);
  }

  #list(items: readonly Value[]): string {
    return items.map((item) => this.show(item)).join(", ");
  }

  #members(dict: Dict): string {
    return [...dict.entries()].map(([key, value]) => `${this.show(key)}: ${this.show(value)}`).join(", ");
  }

  #nested(value: Value, again: string, show: () => string): string {
    if (this.#open.has(value)) return again;
    // Lists in lists cost more than what is in them.
    this.#budget.charge(20);
    this.#open.add(value);
    const shown = this.#budget.inValue(show);
    this.#open.delete(value);
    return shown;
  }
}
