import { JinjaError, typeError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { define, optional } from "../runtime/define.ts";
import type { Definition, Runtime } from "../runtime/runtime.ts";
import { calculate } from "../values/arithmetic.ts";
import { divideHalfEven, fixedDigits } from "../values/float-text.ts";
import { isTrue } from "../values/iterate.ts";
import { parseFloatValue, parseInteger, requireIndex, requireSmallIndex, truncate } from "../values/numbers.ts";
import { Undefined } from "../values/undefined.ts";
import { asInteger, charactersOf, isText, typeNameOf, type Value } from "../values/value.ts";

/** Filters that compute numbers, or make texts of them. */
export const numberFilters: readonly Definition[] = [
  define("abs", [], (_, value) => {
    if (typeof value === "number") return Math.abs(value);
    const whole = asInteger(value);
    if (value instanceof Undefined) throw typeError("bad operand type for abs(): 'Undefined'");
    if (whole === undefined) throw typeError(`bad operand type for abs(): '${typeNameOf(value)}'`);
    return whole < 0n ? -whole : whole;
  }),
  define("int", [optional("default", 0n), optional("base", 10n)], toInteger),
  define("float", [optional("default", 0)], ({ budget }, value, [standard = 0]) =>
    orDefault(budget, () => parseFloatValue(budget, value), { standard, kinds: ["TypeError", "ValueError"] }),
  ),
  define("round", [optional("precision", 0n), optional("method", "common")], round),
  define("filesizeformat", [optional("binary", false)], ({ budget }, value, [binary = false]) =>
    fileSize(parseFloatValue(budget, value), isTrue(binary)),
  ),
];

function toInteger({ budget }: Runtime, value: Value, [standard = 0n, base = 10n]: readonly Value[]): Value {
  const whole = () => {
    if (isText(value)) return parseInteger(budget, charactersOf(value), requireSmallIndex(base));
    if (typeof value === "number") return truncate(value);
    if (value instanceof Undefined) throw value.error();
    const integer = asInteger(value);
    if (integer === undefined) throw typeError("int() argument must be a string or a number");
    return integer;
  };
  const fromFloat = () =>
    orDefault(budget, () => truncate(parseFloatValue(budget, value)), {
      standard,
      kinds: ["TypeError", "ValueError", "OverflowError"],
    });
  return orDefault(budget, whole, { standard: fromFloat, kinds: ["TypeError", "ValueError"] });
}

function orDefault(
  budget: Budget,
  compute: () => Value,
  { standard, kinds }: { standard: Value | (() => Value); kinds: readonly string[] },
): Value {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof JinjaError) || !kinds.includes(error.kind)) throw error;
    budget.chargeError();
    return typeof standard === "function" ? standard() : standard;
  }
}

function round({ budget }: Runtime, value: Value, [precision = 0n, method = "common"]: readonly Value[]): Value {
  if (method !== "common" && method !== "ceil" && method !== "floor")
    throw new JinjaError("FilterArgumentError", "method must be common, ceil or floor");
  if (value instanceof Undefined)
    throw method === "common" ? typeError("type Undefined doesn't define __round__ method") : value.error();
  if (method === "common") return roundCommon(value, precision);
  const factor = calculate(budget, 10n, "**", precision);
  const scaled = calculate(budget, value, "*", factor);
  const whole =
    typeof scaled === "number" ? truncate(method === "ceil" ? Math.ceil(scaled) : Math.floor(scaled)) : scaled;
  return calculate(budget, whole, "/", factor);
}

function roundCommon(value: Value, precision: Value): Value {
  const whole = asInteger(value);
  if (whole === undefined && typeof value !== "number")
    throw typeError(`type ${typeNameOf(value)} doesn't define __round__ method`);
  if (precision === null) return whole ?? roundToInteger(value as number);
  const places = Number(requireIndex(precision));
  if (whole !== undefined) return places >= 0 ? whole : roundWhole(whole, -places);
  return roundFloat(value as number, places);
}

function roundToInteger(value: number): bigint {
  truncate(value);
  return BigInt(roundFloat(value, 0));
}

/** Rounds an int to tens, hundreds and so on, half to even. */
function roundWhole(value: bigint, zeros: number): bigint {
  if (zeros > 400) return 0n;
  const unit = 10n ** BigInt(zeros);
  const size = divideHalfEven(value < 0n ? -value : value, unit) * unit;
  return value < 0n ? -size : size;
}

function roundFloat(value: number, places: number): number {
  if (!Number.isFinite(value) || value === 0 || places > 323) return value;
  if (places < -308) return value < 0 ? -0 : 0;
  const sign = value < 0 ? -1 : 1;
  if (places >= 0) return sign * Number(fixedDigits(value, places));
  const unit = 10n ** BigInt(-places);
  const size = Math.abs(value);
  const whole = BigInt(Math.floor(size));
  // A fraction beyond the int part tips a tie.
  const tipped = size === Math.floor(size) ? whole * 2n : whole * 2n + 1n;
  return sign * Number(divideHalfEven(tipped, unit * 2n) * unit);
}

function fileSize(bytes: number, isBinary: boolean): string {
  const base = isBinary ? 1024 : 1000;
  if (bytes === 1) return "1 Byte";
  if (bytes < base) return `${truncate(bytes)} Bytes`;
  const prefixes = isBinary
    ? ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]
    : ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
  for (const [index, prefix] of prefixes.entries()) {
    const unit = Number(BigInt(base) ** BigInt(index + 2));
    if (bytes < unit || index === prefixes.length - 1) return `${oneDigit((base * bytes) / unit)} ${prefix}`;
  }
  return "";
}

function oneDigit(value: number): string {
  return Number.isFinite(value) ? fixedDigits(value, 1) : Number.isNaN(value) ? "nan" : "inf";
}
