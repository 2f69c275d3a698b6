import { typeError, valueError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { sortBy } from "../values/compare.ts";
import { Dict } from "../values/dict.ts";
import { floatRepr } from "../values/float-text.ts";
import { asInteger, charactersOf, isText, Tuple, typeNameOf, type Value } from "../values/value.ts";

const htmlUnsafe: Readonly<Record<string, string>> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "'": "\\u0027" };

/** JSON as Python writes it with sorted keys and in ASCII, safe inside HTML. `indent`: blanks, or a text, for each level. */
export function toJson(budget: Budget, value: Value, indent: Value): string {
  const json = new JsonWriter(budget, marginOf(indent)).write(value, "\n");
  return json.replace(/[<>&']/gu, (character) => htmlUnsafe[character] ?? character);
}

function marginOf(indent: Value): string | undefined {
  if (indent === null) return undefined;
  if (isText(indent)) return charactersOf(indent);
  const width = asInteger(indent);
  if (width === undefined) throw typeError(`can't multiply sequence by non-int of type '${typeNameOf(indent)}'`);
  return " ".repeat(Math.min(Math.max(Number(width), 0), 1000));
}

class JsonWriter {
  readonly #budget: Budget;
  readonly #margin: string | undefined;
  readonly #open = new Set<Value>();
  #length = 0;

  constructor(budget: Budget, margin: string | undefined) {
    this.#budget = budget;
    this.#margin = margin;
  }

  /** `line`: the line break and margin of the level around. */
  write(value: Value, line: string): string {
    this.#budget.charge(1);
    if (value === null) return "null";
    if (typeof value === "boolean") return String(value);
    if (typeof value === "bigint") return value.toString();
    if (typeof value === "number") return jsonNumber(value);
    if (isText(value)) return this.#text(charactersOf(value));
    return this.#nested(value, line);
  }

  #text(text: string): string {
    if (beyondAscii.test(text)) this.#budget.chargeCharacters(text.length);
    return this.#counted(JSON.stringify(text).replace(eachBeyondAscii, asciiEscape));
  }

  #counted(text: string): string {
    this.#length += text.length;
    this.#budget.chargeText(this.#length);
    return text;
  }

  #nested(value: Value, line: string): string {
    if (this.#open.has(value)) throw valueError("Circular reference detected");
    this.#open.add(value);
    const json = this.#budget.inValue(() => this.#container(value, line));
    this.#open.delete(value);
    return json;
  }

  #container(value: Value, line: string): string {
    const inner = this.#margin === undefined ? line : this.#counted(line + this.#margin);
    if (value instanceof Dict) return this.#wrap("{}", this.#members(value, inner), { line, inner });
    const items = value instanceof Tuple ? value.items : value;
    if (!Array.isArray(items)) throw typeError(`Object of type ${typeNameOf(value)} is not JSON serializable`);
    return this.#wrap(
      "[]",
      (items as Value[]).map((item) => this.write(item, inner)),
      { line, inner },
    );
  }

  #members(dict: Dict, inner: string): string[] {
    const members = [...dict.entries()].map((member) => new Tuple(member));
    const sorted = sortBy(this.#budget, members, (member) => (member as Tuple).items[0] ?? null, false);
    return sorted.map((member) => {
      const [key = null, value = null] = (member as Tuple).items;
      return `${this.#text(jsonKey(key))}: ${this.write(value, inner)}`;
    });
  }

  #wrap(brackets: string, parts: readonly string[], { line, inner }: { line: string; inner: string }): string {
    const [open, close] = brackets;
    if (parts.length === 0) return brackets;
    if (this.#margin === undefined) return `${open}${parts.join(", ")}${close}`;
    return `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`;
  }
}

function jsonKey(key: Value): string {
  if (isText(key)) return charactersOf(key);
  if (key === null) return "null";
  if (typeof key === "boolean") return String(key);
  if (typeof key === "number") return jsonNumber(key);
  if (typeof key === "bigint") return key.toString();
  throw typeError(`keys must be str, int, float, bool or None, not ${typeNameOf(key)}`);
}

function jsonNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return floatRepr(value);
  return value > 0 ? "Infinity" : "-Infinity";
}

const beyondAscii = /[^\0-\x7f]/u;
/** By units: characters of two of them are written as two escapes. */
const eachBeyondAscii = /[\x80-\uffff]/g;

function asciiEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
