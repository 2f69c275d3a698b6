import { JinjaError, valueError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { formatValue } from "./format-spec.ts";
import { escapeMarkup } from "./markup.ts";
import { ascii } from "./percent-format.ts";
import { quote } from "./quote.ts";
import { reprOf, textOf } from "./repr.ts";
import { requireItem } from "./subscript.ts";
import { Markup, type Keywords, type Value } from "./value.ts";

interface FormatSource {
  budget: Budget;
  args: readonly Value[];
  keywords: Keywords;
  isMarkup: boolean;
  attributeOf: (owner: Value, name: string) => Value | undefined;
}

/** Python's `text.format(…)`: replacement fields in braces. */
export function formatFields(source: FormatSource, template: string): string {
  return new FieldFormatter(source).format(template, 2);
}

class FieldFormatter {
  readonly #source: FormatSource;
  #next: number | "named" = 0;
  #length = 0;

  constructor(source: FormatSource) {
    this.#source = source;
  }

  format(template: string, depth: number): string {
    if (depth < 0) throw valueError("Max string recursion exceeded");
    let result = "";
    for (let at = 0; at < template.length;) {
      const character = template[at] ?? "";
      if ((character === "{" || character === "}") && template[at + 1] === character && depth === 2) {
        result += character;
        at += 2;
      } else if (character === "{") {
        const end = fieldEnd(template, at + 1);
        result += this.#counted(this.#field(template.slice(at + 1, end), depth));
        at = end + 1;
      } else {
        if (character === "}") throw valueError("Single '}' encountered in format string");
        result += character;
        at += 1;
      }
    }
    return result;
  }

  #counted(text: string): string {
    this.#length += text.length;
    this.#source.budget.chargeText(this.#length);
    return text;
  }

  #field(field: string, depth: number): string {
    const { budget, isMarkup } = this.#source;
    const [, name = "", conversion, spec = ""] =
      /^((?:[^[!:]|\[[^\]]*\])*)(?:!([^:]?))?(?::([^]*))?$/u.exec(field) ?? [];
    if (/!/u.test(field.slice(name.length)) && conversion === "") throw valueError("unmatched '{' in format spec");
    const value = converted(budget, this.#value(name), conversion);
    const filledSpec = this.format(spec, depth - 1);
    if (!isMarkup) return formatValue(budget, value, filledSpec);
    if (value instanceof Markup && filledSpec !== "") throw valueError("Unsupported format specification for Markup.");
    return value instanceof Markup ? value.text : escapeMarkup(budget, formatValue(budget, value, filledSpec)).text;
  }

  #value(name: string): Value {
    const [, first = "", rest = ""] = /^([^.[]*)(.*)$/su.exec(name) ?? [];
    let value = this.#first(first);
    for (const [part, attribute, item] of rest.matchAll(/\.([^.[]*)|\[([^\]]*)\]|[^]/gu)) {
      if (attribute === undefined && item === undefined)
        throw valueError("Only '.' or '[' may follow ']' in format field specifier");
      if (attribute === "" || item === "") throw valueError("Empty attribute in format string");
      value = part.startsWith(".") ? this.#attribute(value, attribute ?? "") : this.#item(value, item ?? "");
    }
    return value;
  }

  #first(name: string): Value {
    const { args, keywords } = this.#source;
    if (name !== "" && !/^\d+$/u.test(name)) {
      const value = keywords.get(name);
      if (value === undefined) throw new JinjaError("KeyError", quote(name));
      return value;
    }
    const index = name === "" ? this.#automatic() : this.#numbered(Number(name));
    const value = args[index];
    if (value === undefined)
      throw new JinjaError("IndexError", `Replacement index ${index} out of range for positional args tuple`);
    return value;
  }

  #automatic(): number {
    if (this.#next === "named")
      throw valueError("cannot switch from manual field specification to automatic field numbering");
    const index = this.#next;
    this.#next += 1;
    return index;
  }

  #numbered(index: number): number {
    if (typeof this.#next === "number" && this.#next > 0)
      throw valueError("cannot switch from automatic field numbering to manual field specification");
    this.#next = "named";
    return index;
  }

  #attribute(owner: Value, name: string): Value {
    const value = this.#source.attributeOf(owner, name);
    if (value === undefined) throw new JinjaError("AttributeError", `object has no attribute ${quote(name)}`);
    return value;
  }

  #item(owner: Value, key: string): Value {
    return requireItem(this.#source.budget, owner, /^\d+$/u.test(key) ? BigInt(key) : key);
  }
}

function fieldEnd(template: string, start: number): number {
  let depth = 1;
  for (let at = start; at < template.length; at++) {
    const character = template[at];
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth === 0) return at;
  }
  throw valueError(
    start === template.length ? "Single '{' encountered in format string" : "expected '}' before end of string",
  );
}

function converted(budget: Budget, value: Value, conversion: string | undefined): Value {
  if (conversion === undefined) return value;
  if (conversion === "s") return textOf(budget, value);
  if (conversion === "r") return reprOf(budget, value);
  if (conversion === "a") return ascii(reprOf(budget, value));
  throw valueError(`Unknown conversion specifier ${conversion}`);
}
