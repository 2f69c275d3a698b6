import { deepEqual } from "./deep-equal.ts";
import { compileRegularExpression, type PatternAllowance, type RegularExpression } from "./regular-expression.ts";

export interface EvaluationMode {
  isStrict: boolean;
  /** How long patterns may take; default `each`. */
  allowance?: PatternAllowance;
}

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A value that has no counterpart in the type of the first operand. */
const inconvertible = Symbol("inconvertible");

/**
 * Compares after the typing rules: a text on the left is read as number, boolean, null, list or object
 * where it is one; the right operand is converted to the type of the left. Operands that cannot be
 * compared are unequal, and neither smaller nor greater.
 */
export function compareOperands(
  operator: ComparisonOperator,
  left: unknown,
  right: unknown,
  mode: EvaluationMode,
): boolean {
  if (operator === "==") return areEqual(left, right, mode);
  if (operator === "!=") return !areEqual(left, right, mode);
  const [first, second] = orderable(left, right, mode);
  if (first === undefined || second === undefined) return false;
  if (operator === "<") return first < second;
  if (operator === "<=") return first <= second;
  if (operator === ">") return first > second;
  return first >= second;
}

function areEqual(left: unknown, right: unknown, { isStrict }: EvaluationMode): boolean {
  if (isStrict || left === right) return deepEqual(left, right);
  const first = parseText(left);
  const second = convert(right, first);
  return second !== inconvertible && deepEqual(first, second);
}

/** Both as numbers, or both as texts; undefined where there is no order between them. A list counts by its length. */
function orderable(
  left: unknown,
  right: unknown,
  { isStrict }: EvaluationMode,
): [] | [number, number] | [string, string] {
  const first = lengthOrSelf(isStrict ? left : parseText(left));
  const other = lengthOrSelf(right);
  if (typeof first === "string" && typeof other === "string") return [first, other];
  if (typeof first === "string" || isOfOtherType(first, other, isStrict)) return [];
  const second = convert(other, first);
  if (typeof first === "boolean" && typeof second === "boolean") return [Number(first), Number(second)];
  return typeof first === "number" && typeof second === "number" ? [first, second] : [];
}

function isOfOtherType(first: unknown, second: unknown, isStrict: boolean): boolean {
  return isStrict && typeof first !== typeof second;
}

function lengthOrSelf(value: unknown): unknown {
  return Array.isArray(value) ? value.length : value;
}

const jsonText = /^\s*(?:-?\d|true\b|false\b|null\b|[[{])/u;

/** The value a text spells, or the text itself. */
function parseText(value: unknown): unknown {
  if (typeof value !== "string" || !jsonText.test(value)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return parsed;
  } catch {
    return value;
  }
}

function convert(value: unknown, model: unknown): unknown {
  if (typeof model === "number") return toNumber(value);
  if (typeof model === "boolean") return toBoolean(value);
  if (typeof model === "string") return toText(value);
  const parsed = parseText(value);
  const isSameKind =
    parsed === null || model === null
      ? parsed === model
      : typeof parsed === "object" && Array.isArray(parsed) === Array.isArray(model);
  return isSameKind ? parsed : inconvertible;
}

function toNumber(value: unknown): unknown {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? inconvertible : number;
}

function toBoolean(value: unknown): unknown {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === 1) return true;
  return value === "false" || value === 0 ? false : inconvertible;
}

function toText(value: unknown): unknown {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : inconvertible;
}

/** Text: regular expression search; list: membership; object: own key. Anything else contains nothing. */
export function contains(left: unknown, right: unknown, mode: EvaluationMode): boolean {
  if (Array.isArray(left)) return left.some((element) => areEqual(element, right, mode));
  if (typeof left === "object" && left !== null) return isKey(right) && Object.hasOwn(left, right);
  if (typeof left !== "string" && (mode.isStrict || typeof left !== "number")) return false;
  const pattern = toText(right);
  return typeof pattern === "string" && search(String(left), pattern, mode.allowance);
}

function isKey(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** A pattern that is no regular expression, such as `C++`, is looked for as plain text. */
function search(text: string, pattern: string, allowance?: PatternAllowance): boolean {
  let expression: RegularExpression;
  try {
    expression = compileRegularExpression(pattern, "", allowance);
  } catch {
    return text.includes(pattern);
  }
  return expression.test(text);
}
