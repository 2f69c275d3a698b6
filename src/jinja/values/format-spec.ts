import { typeError, valueError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { exponentDigits, exponential, fixedDigits, floatRepr, nonFinite } from "./float-text.ts";
import { toFloat } from "./numbers.ts";
import { textOf } from "./repr.ts";
import { lengthOf, substringOf } from "./text-units.ts";
import { asInteger, charactersOf, isNumber, isText, typeNameOf, type Value } from "./value.ts";

interface Spec {
  fill: string;
  align: string;
  sign: string;
  isAlternate: boolean;
  width: number;
  grouping: string;
  precision: number | undefined;
  type: string;
}

const specForm = /^(?:([^])?([<>=^]))?([+\- ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/u;

/** Python's `format(value, spec)`: the part after the colon of a replacement field. */
export function formatValue(budget: Budget, value: Value, specText: string): string {
  if (specText === "") return textOf(budget, value);
  if (!isText(value) && !isNumber(value))
    throw typeError(`unsupported format string passed to ${typeNameOf(value)}.__format__`);
  const spec = parseSpec(specText, value);
  budget.chargeText(Math.max(spec.width, spec.precision ?? 0));
  budget.charge(1 + (spec.precision ?? 0));
  if (isText(value)) return formatText(charactersOf(value), spec);
  const whole = asInteger(value);
  const isFloat = whole === undefined || "eEfFgG%".includes(spec.type || "d");
  return pad(isFloat ? formatFloat(toFloat(value), spec, whole !== undefined) : formatInteger(whole, spec), spec, ">");
}

function parseSpec(text: string, value: Value): Spec {
  const match = specForm.exec(text);
  if (!match) throw valueError(`Invalid format specifier '${text}' for object of type '${typeNameOf(value)}'`);
  const [, fill, align, sign = "-", , alternate, zero, width = "0", grouping = "", precision, type = ""] = match;
  const isZeroed = zero !== undefined;
  return {
    fill: fill ?? (isZeroed ? "0" : " "),
    align: align ?? zeroAlign(isZeroed, value),
    sign,
    isAlternate: alternate !== undefined,
    width: Number(width),
    grouping,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
}

/** A zero before the width fills numbers behind their sign. */
function zeroAlign(isZeroed: boolean, value: Value): string {
  if (!isZeroed) return "";
  return isText(value) ? "<" : "=";
}

function formatText(text: string, spec: Spec): string {
  if (spec.type !== "" && spec.type !== "s") throw unknownType(spec.type, "str");
  if (spec.sign !== "-") throw valueError("Sign not allowed in string format specifier");
  if (spec.align === "=") throw valueError("'=' alignment not allowed in string format specifier");
  if (spec.isAlternate) throw valueError("Alternate form (#) not allowed in string format specifier");
  if (spec.grouping !== "") throw valueError(`Cannot specify '${spec.grouping}' with 's'.`);
  const cut = spec.precision === undefined ? text : substringOf(text, 0, spec.precision);
  return pad({ sign: "", body: cut }, spec, "<");
}

interface Formatted {
  /** Sign and prefix, before which or after which is padded. */
  sign: string;
  body: string;
}

const radixes: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

function formatInteger(value: bigint, spec: Spec): Formatted {
  const { type } = spec;
  if (spec.precision !== undefined) throw valueError("Precision not allowed in integer format specifier");
  if (type === "c") return { sign: "", body: String.fromCodePoint(Number(value)) };
  if (!["", "d", "n", "b", "o", "x", "X"].includes(type)) throw unknownType(type, "int");
  const radix = radixes[type] ?? 10;
  const size = (value < 0n ? -value : value).toString(radix);
  const prefix = spec.isAlternate && radix !== 10 ? `0${type}` : "";
  const sign = signOf(value < 0n, spec) + prefix;
  return group({ sign, body: type === "X" ? size.toUpperCase() : size }, spec, radix === 10 ? 3 : 4);
}

function signOf(isNegative: boolean, { sign }: Spec): string {
  if (isNegative) return "-";
  return sign === "-" ? "" : sign;
}

function formatFloat(value: number, spec: Spec, isWhole: boolean): Formatted {
  const { type } = spec;
  if (type !== "" && !"eEfFgGn%".includes(type)) throw unknownType(type, isWhole ? "int" : "float");
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = Number.isNaN(value) ? signOf(false, spec) : signOf(isNegative, spec);
  if (!Number.isFinite(value)) {
    const shown = nonFinite(Math.abs(value)) + (type === "%" ? "%" : "");
    return { sign, body: /[EFG]/u.test(type) ? shown.toUpperCase() : shown };
  }
  const body = floatBody(Math.abs(value), spec);
  return group({ sign, body }, spec, 3);
}

function floatBody(size: number, { type, precision, isAlternate }: Spec): string {
  const places = precision ?? 6;
  if (type === "f" || type === "F") return withPoint(fixedDigits(size, places), isAlternate);
  if (type === "%") return `${withPoint(fixedDigits(size * 100, places), isAlternate)}%`;
  if (type === "e" || type === "E") {
    const { digits, exponent } = exponentDigits(size, places);
    return exponential(digits, exponent, type);
  }
  if (type === "" && precision === undefined) return floatRepr(size);
  return general(size, { precision: places, isAlternate, type });
}

function withPoint(text: string, isAlternate: boolean): string {
  return isAlternate && !text.includes(".") ? `${text}.` : text;
}

/** The shorter of fixed and exponential form, without zeros at the end. */
export function general(
  size: number,
  { precision, isAlternate, type }: { precision: number; isAlternate: boolean; type: string },
): string {
  const significant = Math.max(precision, 1);
  const { digits, exponent } = exponentDigits(size, significant - 1);
  // Without a type at least one digit stays after the point, which exponents come one earlier for.
  const most = type === "" ? significant - 1 : significant;
  const isExponential = exponent < -4 || exponent >= (type === "" ? Math.max(most, 1) : most);
  const trim = (text: string) => (isAlternate || !text.includes(".") ? text : text.replace(/\.?0+$/u, ""));
  if (isExponential) {
    const shown = isAlternate ? digits : digits.replace(/(?<=.)0+$/u, "");
    return exponential(shown, exponent, type === "G" ? "E" : "e");
  }
  const fixed = trim(fixedDigits(size, Math.max(significant - 1 - exponent, 0)));
  return type === "" && !fixed.includes(".") ? `${fixed}.0` : fixed;
}

/** Separators between groups of digits; zeros that pad are grouped too. */
function group({ sign, body }: Formatted, spec: Spec, size: number): Formatted {
  if (spec.grouping === "") return { sign, body };
  if (spec.grouping === "," && size === 4) throw valueError(`Cannot specify ',' with '${spec.type}'.`);
  const [, whole = "", rest = ""] = /^([0-9a-fA-F]+)(.*)$/su.exec(body) ?? [];
  let count = whole.length;
  if (spec.align === "=" && spec.fill === "0")
    while (sign.length + groupedLength(count, size) + rest.length < spec.width) count += 1;
  return { sign, body: separated(whole.padStart(count, "0"), size, spec.grouping) + rest };
}

function groupedLength(digits: number, size: number): number {
  return digits + Math.floor((digits - 1) / size);
}

function separated(digits: string, size: number, separator: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= size) groups.push(digits.slice(Math.max(end - size, 0), end));
  return groups.reverse().join(separator);
}

function pad({ sign, body }: Formatted, { fill, align, width }: Spec, standard: "<" | ">"): string {
  const missing = width - lengthOf(sign) - lengthOf(body);
  if (missing <= 0) return sign + body;
  const side = align || standard;
  if (side === "=") return sign + fill.repeat(missing) + body;
  if (side === "<") return sign + body + fill.repeat(missing);
  if (side === ">") return fill.repeat(missing) + sign + body;
  const before = Math.floor(missing / 2);
  return fill.repeat(before) + sign + body + fill.repeat(missing - before);
}

function unknownType(type: string, of: string): Error {
  return valueError(`Unknown format code '${type}' for object of type '${of}'`);
}
