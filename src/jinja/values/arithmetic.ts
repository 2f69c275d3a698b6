import { JinjaError, typeError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { escapeMarkup } from "./markup.ts";
import { bitLength, toFloat } from "./numbers.ts";
import { formatPercent } from "./percent-format.ts";
import { Undefined } from "./undefined.ts";
import { Markup, Tuple, asInteger, charactersOf, isNumber, isText, orElse, typeNameOf, type Value } from "./value.ts";

type Operator = "+" | "-" | "*" | "/" | "//" | "%" | "**";
type Numeric = boolean | bigint | number;

/** Python's arithmetic, and what its operators do with text and lists. */
export function calculate(budget: Budget, left: Value, operator: Operator, right: Value): Value {
  budget.charge(1);
  if (isNumber(left) && isNumber(right)) return calculateNumbers(budget, left, operator, right);
  if (operator === "%" && isText(left)) return formatPercent(budget, left, right);
  if (left instanceof Undefined) throw left.error();
  if (right instanceof Undefined) throw right.error();
  if (operator === "+") return orElse(join(budget, left, right), () => fail(left, operator, right));
  if (operator === "*") return orElse(repeatAny(budget, left, right), () => fail(left, operator, right));
  return fail(left, operator, right);
}

function fail(left: Value, operator: Operator, right: Value): never {
  const [before, after] = [typeNameOf(left), typeNameOf(right)];
  if (operator === "+" && typeof left === "string") throw typeError(`can only concatenate str (not "${after}") to str`);
  const shown = operator === "**" ? "** or pow()" : operator;
  throw typeError(`unsupported operand type(s) for ${shown}: '${before}' and '${after}'`);
}

/** Python's `-value` and `+value`. */
export function signed(value: Value, sign: "+" | "-"): Value {
  if (typeof value === "number") return sign === "-" ? -value : value;
  const whole = asInteger(value);
  if (whole !== undefined) return sign === "-" ? -whole : whole;
  if (value instanceof Undefined) throw value.error();
  throw typeError(`bad operand type for unary ${sign}: '${typeNameOf(value)}'`);
}

function join(budget: Budget, left: Value, right: Value): Value | undefined {
  if (isText(left) && isText(right)) return joinTexts(budget, left, right);
  if (Array.isArray(left) && Array.isArray(right)) {
    budget.chargeList(left.length + right.length);
    return [...left, ...right];
  }
  if (left instanceof Tuple && right instanceof Tuple) {
    budget.chargeList(left.items.length + right.items.length);
    return new Tuple([...left.items, ...right.items]);
  }
  return undefined;
}

function joinTexts(budget: Budget, left: string | Markup, right: string | Markup): Value {
  budget.chargeText(charactersOf(left).length + charactersOf(right).length);
  if (typeof left === "string" && typeof right === "string") return left + right;
  return new Markup(escapeMarkup(budget, left).text + escapeMarkup(budget, right).text);
}

function repeatAny(budget: Budget, left: Value, right: Value): Value | undefined {
  const times = asInteger(right);
  if (times !== undefined) return repeat(budget, left, times);
  const swapped = asInteger(left);
  return swapped === undefined ? undefined : repeat(budget, right, swapped);
}

function repeat(budget: Budget, value: Value, times: bigint): Value | undefined {
  if (isRepeatable(value) && (times >= 2n ** 63n || times < -(2n ** 63n)))
    throw new JinjaError("OverflowError", "cannot fit 'int' into an index-sized integer");
  const count = times < 0n ? 0 : Math.min(Number(times), Number.MAX_SAFE_INTEGER);
  if (isText(value)) {
    const text = charactersOf(value);
    budget.chargeText(text.length * count);
    const repeated = text === "" ? "" : text.repeat(count);
    return typeof value === "string" ? repeated : new Markup(repeated);
  }
  if (Array.isArray(value)) return repeatItems(budget, value, count);
  return value instanceof Tuple ? new Tuple(repeatItems(budget, value.items, count)) : undefined;
}

function isRepeatable(value: Value): boolean {
  return isText(value) || Array.isArray(value) || value instanceof Tuple;
}

function repeatItems(budget: Budget, items: readonly Value[], count: number): Value[] {
  budget.chargeList(items.length * count);
  if (items.length === 0) return [];
  return Array.from({ length: count }, () => items).flat(1);
}

function calculateNumbers(budget: Budget, left: Numeric, operator: Operator, right: Numeric): Value {
  const [a, b] = [asInteger(left), asInteger(right)];
  if (operator === "/") return divide(left, right);
  if (a !== undefined && b !== undefined) return calculateIntegers(budget, a, operator, b);
  return calculateFloats(toFloat(left), operator, toFloat(right));
}

function divide(left: Numeric, right: Numeric): Value {
  const [a, b] = [asInteger(left), asInteger(right)];
  if (a === undefined || b === undefined) {
    const divisor = toFloat(right);
    if (divisor === 0) throw zeroDivision("float division by zero");
    return toFloat(left) / divisor;
  }
  if (b === 0n) throw zeroDivision("division by zero");
  const exact = 2n ** 53n;
  if (a < exact && a > -exact && b < exact && b > -exact) return Number(a) / Number(b);
  return divideLarge(a, b);
}

/** Quotient of ints that are no floats: scaled so that the result has more bits than a float keeps. */
function divideLarge(a: bigint, b: bigint): number {
  const shift = 70 - (bitLength(a) - bitLength(b));
  const [numerator, denominator] = shift > 0 ? [a << BigInt(shift), b] : [a, b << BigInt(-shift)];
  let quotient = numerator / denominator;
  // What is cut off must still tip a tie.
  if (numerator % denominator !== 0n) quotient |= 1n;
  const result = Number(quotient) * 2 ** -shift;
  if (!Number.isFinite(result)) throw new JinjaError("OverflowError", "integer division result too large for a float");
  return result;
}

function calculateIntegers(budget: Budget, a: bigint, operator: Operator, b: bigint): Value {
  if (operator === "+") return bounded(budget, a + b);
  if (operator === "-") return bounded(budget, a - b);
  if (operator === "*") return bounded(budget, a * b);
  if (operator === "**") return power(budget, a, b);
  if (b === 0n) throw zeroDivision(operator === "%" ? "integer modulo by zero" : "integer division or modulo by zero");
  const remainder = a % b;
  const isOff = remainder !== 0n && remainder < 0n !== b < 0n;
  if (operator === "%") return isOff ? remainder + b : remainder;
  return isOff ? a / b - 1n : a / b;
}

function bounded(budget: Budget, value: bigint): bigint {
  const most = 1n << 1000n;
  if (value > most || value < -most) budget.requireBits(bitLength(value));
  return value;
}

function power(budget: Budget, base: bigint, exponent: bigint): Value {
  if (exponent < 0n) {
    if (base === 0n) throw zeroDivision("0.0 cannot be raised to a negative power");
    return floatPower(toFloat(base), toFloat(exponent));
  }
  if (base > 1n || base < -1n) budget.requireBits((bitLength(base) - 1) * Number(exponent));
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  return base ** exponent;
}

function calculateFloats(a: number, operator: Operator, b: number): Value {
  if (operator === "+") return a + b;
  if (operator === "-") return a - b;
  if (operator === "*") return a * b;
  if (operator === "**") return floatPower(a, b);
  if (b === 0) throw zeroDivision(operator === "%" ? "float modulo" : "float floor division by zero");
  const remainder = floatRemainder(a, b);
  return operator === "%" ? remainder : floorQuotient(a, b, remainder);
}

function floatRemainder(a: number, b: number): number {
  const remainder = a % b;
  if (remainder === 0) return b < 0 ? -0 : 0;
  return remainder < 0 !== b < 0 ? remainder + b : remainder;
}

function floorQuotient(a: number, b: number, remainder: number): number {
  const quotient = (a - remainder) / b;
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function floatPower(base: number, exponent: number): Value {
  if (base === 0 && exponent < 0) throw zeroDivision("0.0 cannot be raised to a negative power");
  if (base === 1) return 1;
  if (base === -1 && !Number.isFinite(exponent)) return Number.isNaN(exponent) ? exponent : 1;
  const result = base ** exponent;
  if (Number.isFinite(result) || !Number.isFinite(base) || !Number.isFinite(exponent)) return result;
  if (Number.isNaN(result)) throw typeError("complex numbers are not supported");
  throw new JinjaError("OverflowError", "(34, 'Numerical result out of range')");
}

function zeroDivision(message: string): JinjaError {
  return new JinjaError("ZeroDivisionError", message);
}
