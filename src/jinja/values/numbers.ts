import { JinjaError, typeError, valueError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { asInteger, charactersOf, isText, typeNameOf, type Value } from "./value.ts";
import { Undefined } from "./undefined.ts";
import { quote } from "./quote.ts";

/** The float that a number is. OverflowError for ints that are too large. */
export function toFloat(value: boolean | bigint | number): number {
  if (typeof value === "number") return value;
  const float = Number(value);
  if (!Number.isFinite(float)) throw new JinjaError("OverflowError", "int too large to convert to float");
  return float;
}

/** A float cut off to an int. */
export function truncate(value: number): bigint {
  if (Number.isNaN(value)) throw valueError("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw new JinjaError("OverflowError", "cannot convert float infinity to integer");
  return BigInt(Math.trunc(value));
}

/** The int a value stands for where Python asks for an index. */
export function requireIndex(value: Value, what?: string): bigint {
  const whole = asInteger(value);
  if (whole !== undefined) return whole;
  throw typeError(what ?? `'${typeNameOf(value)}' object cannot be interpreted as an integer`);
}

/** An index as a plain number; those out of reach become the nearest that is. */
export function requireSmallIndex(value: Value): number {
  const whole = requireIndex(value);
  const most = 2 ** 52;
  if (whole > BigInt(most)) return most;
  return whole < BigInt(-most) ? -most : Number(whole);
}

const white = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*";
const digit = /\p{Nd}/gu;

/** Digits of all scripts as those of ASCII. */
function asciiDigits(text: string): string {
  if (/^[\0-\x7f]*$/u.test(text)) return text;
  const known = new Map<string, string>();
  return text.replace(digit, (character) => {
    const ascii = known.get(character) ?? asciiDigit(character);
    known.set(character, ascii);
    return ascii;
  });
}

/** The digits of a script follow each other, from its zero. */
function asciiDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && new RegExp(digit.source, "u").test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

const firstDark = new RegExp(`^${white}`, "u");
const oneWhite = new RegExp(`^${white.slice(0, -1)}$`, "u");
const floatText =
  /^[+-]?(?:(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?|inf(?:inity)?|nan)$/iu;

function withoutEdges(text: string): string {
  let end = text.length;
  while (end > 0 && oneWhite.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).replace(firstDark, "");
}

/** Python's `float(value)`. */
export function parseFloatValue(budget: Budget, value: Value): number {
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return toFloat(value);
  if (value instanceof Undefined) throw value.error();
  if (!isText(value)) throw typeError(`float() argument must be a string or a real number, not '${typeNameOf(value)}'`);
  budget.chargeCharacters(charactersOf(value).length);
  const text = asciiDigits(withoutEdges(charactersOf(value)));
  if (!floatText.test(text)) throw valueError(`could not convert string to float: ${quote(charactersOf(value))}`);
  const sign = text.startsWith("-") ? -1 : 1;
  const unsigned = text.replace(/^[+-]/u, "").toLowerCase();
  if (unsigned.startsWith("inf")) return sign * Number.POSITIVE_INFINITY;
  return unsigned === "nan" ? Number.NaN : sign * Number(unsigned.replaceAll("_", ""));
}

/** Python's `int(text, base)`. */
export function parseInteger(budget: Budget, value: string, base: number): bigint {
  budget.chargeCharacters(value.length);
  const problem = () => valueError(`invalid literal for int() with base ${base}: ${quote(value)}`);
  if (base !== 0 && (base < 2 || base > 36)) throw valueError("int() base must be >= 2 and <= 36, or 0");
  const match = /^([+-]?)(.*)$/su.exec(asciiDigits(withoutEdges(value)));
  const negative = match?.[1] === "-";
  const { radix, digits } = radixOf((match?.[2] ?? "").toLowerCase(), base, problem);
  if (!/^[0-9a-z]+(?:_[0-9a-z]+)*$/u.test(digits)) throw problem();
  const plain = digits.replaceAll("_", "");
  if (radix === 10 && plain.length > 4300)
    throw valueError("Exceeds the limit (4300 digits) for integer string conversion");
  const size = readDigits(budget, plain, { radix, problem });
  return negative ? -size : size;
}

const prefixes: Readonly<Record<string, number>> = { "0x": 16, "0o": 8, "0b": 2 };

function radixOf(text: string, base: number, problem: () => Error): { radix: number; digits: string } {
  const prefixed = prefixes[text.slice(0, 2)];
  if (prefixed !== undefined && (base === 0 || base === prefixed))
    return { radix: prefixed, digits: text.slice(text[2] === "_" ? 3 : 2) };
  if (base === 0 && /^0[0_]*[1-9]/u.test(text)) throw problem();
  return { radix: base === 0 ? 10 : base, digits: text };
}

function readDigits(
  budget: Budget,
  digits: string,
  { radix, problem }: { radix: number; problem: () => Error },
): bigint {
  if (radix === 10 && /^\d+$/u.test(digits)) return BigInt(digits);
  const values = Array.from(digits, (digit) => Number.parseInt(digit, 36));
  if (values.some((value) => value >= radix)) throw problem();
  budget.requireBits(Math.floor((values.length - 1) * Math.log2(radix)));
  let size = 0n;
  for (const value of values) size = size * BigInt(radix) + BigInt(value);
  return size;
}

/** Bits of the absolute value, sign aside. */
export function bitLength(value: bigint): number {
  const size = value < 0n ? -value : value;
  return size === 0n ? 0 : size.toString(2).length;
}
