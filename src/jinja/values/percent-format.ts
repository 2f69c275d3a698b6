import { JinjaError, typeError, valueError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { Dict } from "./dict.ts";
import { exponentDigits, exponential, fixedDigits, nonFinite } from "./float-text.ts";
import { general } from "./format-spec.ts";
import { escapeMarkup, escapeText, likewise } from "./markup.ts";
import { truncate } from "./numbers.ts";
import { isPrintable } from "./quote.ts";
import { reprOf, textOf } from "./repr.ts";
import { charactersIn, lengthOf, substringOf } from "./text-units.ts";
import { Undefined } from "./undefined.ts";
import { Markup, Range, Tuple, asInteger, charactersOf, isNumber, isText, typeNameOf, type Value } from "./value.ts";

const field = /%(?:\(([^)]*)\))?([#0\- +]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([^])?/gu;

interface Conversion {
  flags: string;
  width: number;
  precision: number | undefined;
  type: string;
}

/** Python's `text % values`. */
export function formatPercent(budget: Budget, format: string | Markup, values: Value): Value {
  const source = new Values(values);
  const isMarkup = format instanceof Markup;
  let length = 0;
  const given = charactersOf(format);
  budget.chargeText(given.length);
  const replacement = ([whole, key, flags = "", width, precision, type]: readonly (string | undefined)[]): string => {
    if (type === undefined) throw valueError("incomplete format");
    if (whole === "%%") return "%";
    if (key !== undefined) source.useKey(key);
    const isLeft = { flags, width: source.size(width), type };
    const conversion = {
      ...isLeft,
      precision: /\./u.test(withoutKey(whole ?? "")) ? source.size(precision ?? "0") : undefined,
    };
    if (conversion.width < 0) Object.assign(conversion, { flags: `${flags}-`, width: -conversion.width });
    budget.chargeText(Math.max(conversion.width, conversion.precision ?? 0));
    budget.charge(1 + (conversion.precision ?? 0));
    const converted = convert(budget, source.next(), conversion, isMarkup);
    budget.chargeText((length += converted.length));
    return converted;
  };
  let text = "";
  let end = 0;
  // One after the other: the first wrong one ends it, whatever follows.
  for (const found of given.matchAll(field)) {
    text += given.slice(end, found.index) + replacement(found);
    end = found.index + found[0].length;
  }
  text += given.slice(end);
  source.requireAllUsed();
  return likewise(format, text);
}

function withoutKey(field: string): string {
  return field.replace(/^%\([^)]*\)/u, "");
}

/** What Python takes for a mapping here: whatever has elements to ask for, but texts and tuples. */
const mappings = [Dict, Range, Undefined];

/** The values of a format, one after the other or by name. */
class Values {
  readonly #given: Value;
  readonly #items: readonly Value[];
  #at = 0;
  #named: { value: Value } | undefined;
  #isNamed = false;

  constructor(given: Value) {
    this.#given = given;
    this.#items = given instanceof Tuple ? given.items : [given];
  }

  useKey(key: string): void {
    if (!(this.#given instanceof Dict)) throw typeError("format requires a mapping");
    const value = this.#given.get(key);
    if (value === undefined) throw new JinjaError("KeyError", `'${key}'`);
    this.#named = { value };
    this.#isNamed = true;
  }

  next(): Value {
    const named = this.#named;
    this.#named = undefined;
    if (named) return named.value;
    const value = this.#isNamed ? undefined : this.#items[this.#at++];
    if (value === undefined) throw typeError("not enough arguments for format string");
    return value;
  }

  size(text: string | undefined): number {
    if (text !== "*") return Number(text ?? 0);
    const size = asInteger(this.next());
    if (size === undefined) throw typeError("* wants int");
    return Number(size);
  }

  requireAllUsed(): void {
    const isMapping = Array.isArray(this.#given) || mappings.some((type) => this.#given instanceof type);
    if (this.#isNamed || isMapping || this.#at >= this.#items.length) return;
    throw typeError("not all arguments converted during string formatting");
  }
}

function convert(budget: Budget, value: Value, conversion: Conversion, isMarkup: boolean): string {
  const { type, precision } = conversion;
  if ("sra".includes(type)) {
    const text = shown(budget, value, type, isMarkup);
    return padded("", precision === undefined ? text : substringOf(text, 0, precision), {
      ...conversion,
      flags: conversion.flags.replace("0", ""),
    });
  }
  if (type === "c") return padded("", characterOf(value), { ...conversion, flags: conversion.flags.replace("0", "") });
  if ("diu".includes(type)) return wholeNumber(value, conversion);
  if ("oxX".includes(type)) return radixNumber(value, conversion);
  if ("eEfFgG".includes(type)) return floatNumber(value, conversion);
  throw valueError(`unsupported format character '${type}'`);
}

function shown(budget: Budget, value: Value, type: string, isMarkup: boolean): string {
  if (type === "s") return isMarkup ? escapeMarkup(budget, value).text : textOf(budget, value);
  const repr = reprOf(budget, value);
  const text = type === "a" ? ascii(repr) : repr;
  return isMarkup ? escapeText(text) : text;
}

/** A text with everything beyond ASCII written as escapes. */
export function ascii(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
  });
}

function characterOf(value: Value): string {
  if (isText(value) && lengthOf(charactersOf(value)) === 1) return charactersOf(value);
  const code = asInteger(value);
  if (code === undefined) throw typeError("%c requires int or char");
  if (code < 0n || code > 0x10ffffn) throw new JinjaError("OverflowError", "%c arg not in range(0x110000)");
  return String.fromCodePoint(Number(code));
}

function wholeNumber(value: Value, conversion: Conversion): string {
  const whole = typeof value === "number" ? truncate(value) : asInteger(value);
  if (whole === undefined) throw wrongNumber(value, conversion, "a real number is");
  return numberText(whole < 0n, (whole < 0n ? -whole : whole).toString(), "", conversion);
}

const radixes: Readonly<Record<string, number>> = { o: 8, x: 16, X: 16 };

function radixNumber(value: Value, conversion: Conversion): string {
  const whole = asInteger(value);
  if (whole === undefined) throw wrongNumber(value, conversion, "an integer is");
  const { type, flags } = conversion;
  const digits = (whole < 0n ? -whole : whole).toString(radixes[type]);
  const prefix = flags.includes("#") ? `0${type}` : "";
  return numberText(whole < 0n, type === "X" ? digits.toUpperCase() : digits, prefix, conversion);
}

function wrongNumber(value: Value, { type }: Conversion, wanted: string): Error {
  if (value instanceof Undefined && !"oxX".includes(type)) return value.error();
  return typeError(`%${type} format: ${wanted} required, not ${typeNameOf(value)}`);
}

function numberText(isNegative: boolean, digits: string, prefix: string, conversion: Conversion): string {
  const full = digits.padStart(conversion.precision ?? 0, "0");
  return padded(signText(isNegative, conversion) + prefix, full, conversion);
}

function signText(isNegative: boolean, { flags }: Conversion): string {
  if (isNegative) return "-";
  if (flags.includes("+")) return "+";
  return flags.includes(" ") ? " " : "";
}

function floatNumber(value: Value, conversion: Conversion): string {
  if (value instanceof Undefined) throw value.error();
  if (!isNumber(value)) throw typeError(`must be real number, not ${typeNameOf(value)}`);
  const number = Number(value);
  const { type } = conversion;
  const isNegative = number < 0 || Object.is(number, -0);
  const digits = Number.isFinite(number) ? floatDigits(Math.abs(number), conversion) : nonFinite(Math.abs(number));
  return padded(signText(isNegative, conversion), "EFG".includes(type) ? digits.toUpperCase() : digits, conversion);
}

function floatDigits(size: number, { type, precision = 6, flags }: Conversion): string {
  const isAlternate = flags.includes("#");
  if (type === "f" || type === "F") return fixedDigits(size, precision) + (isAlternate && precision === 0 ? "." : "");
  if (type === "g" || type === "G") return general(size, { precision, isAlternate, type });
  const { digits, exponent } = exponentDigits(size, precision);
  return exponential(digits, exponent);
}

function padded(sign: string, body: string, { flags, width }: Conversion): string {
  const missing = width - lengthOf(sign) - lengthOf(body);
  if (missing <= 0) return sign + body;
  if (flags.includes("-")) return sign + body + " ".repeat(missing);
  if (flags.includes("0")) return sign + "0".repeat(missing) + body;
  return " ".repeat(missing) + sign + body;
}

/** Are all characters such that Python shows them as they are? */
export function isAllPrintable(text: string): boolean {
  return charactersIn(text).every(isPrintable);
}
