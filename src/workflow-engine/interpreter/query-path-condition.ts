import { compileRegularExpression, type PatternAllowance, type RegularExpression } from "./regular-expression.ts";
import type { ParsedQuery } from "./query-path-syntax.ts";
import { readMember } from "./query-path-members.ts";

export type ConditionOperator = "=" | "~" | "<" | "<=" | ">" | ">=";

/** One condition of a filter: `[name!=x]`. An empty key compares the item itself. */
export interface Condition {
  key: string;
  operator: ConditionOperator;
  isNegated: boolean;
  operand: string | RegularExpression | { query: ParsedQuery };
}

/** How operands are read. */
interface OperandReading {
  /** The query in braces that the text is, if it is one. */
  inner: (text: string) => ParsedQuery | undefined;
  allowance: PatternAllowance;
}

// The first operator splits; a second "=" is the habit of other languages.
const conditionForm = /^([^=~<>!]*(?:!(?![=~])[^=~<>!]*)*)(!=|!~|<=|>=|==?|~|<|>)(.*)$/su;

/**
 * Conditions of a selection as alternatives of groups that must hold together; undefined where the
 * selection holds no operator and therefore is a plain key.
 */
export function readConditions(groups: readonly string[][], reading: OperandReading): Condition[][] | undefined {
  if (!groups.some((group) => group.some((part) => conditionForm.test(part)))) return undefined;
  return rejoin(groups).map((group) => group.map((part) => readCondition(part, reading)));
}

/** A part without operator belongs to the text before it: `[name=AT&T]` is one condition. */
function rejoin(groups: readonly string[][]): string[][] {
  const joined: string[][] = [];
  for (const group of groups) {
    group.forEach((part, index) => {
      const current = joined.at(-1);
      if (conditionForm.test(part)) {
        if (index === 0 || !current) joined.push([part]);
        else current.push(part);
      } else if (!current) joined.push([part]);
      else current.push(`${current.pop() ?? ""}${index === 0 ? "|" : "&"}${part}`);
    });
  }
  return joined;
}

function readCondition(part: string, reading: OperandReading): Condition {
  const [, key, operator = "", operand] = conditionForm.exec(part) ?? [];
  if (key === undefined || operand === undefined) throw new Error(`no operator in the condition "${part.trim()}"`);
  const isNegated = operator.startsWith("!");
  const plain = (isNegated ? operator.slice(1) : operator === "==" ? "=" : operator) as ConditionOperator;
  return { key: key.trim(), operator: plain, isNegated, operand: readOperand(plain, operand.trim(), reading) };
}

function readOperand(
  operator: ConditionOperator,
  text: string,
  { inner, allowance }: OperandReading,
): Condition["operand"] {
  const query = inner(text);
  if (query) return { query };
  const expression = operator === "~" ? /^\/(.*)\/([a-z]*)$/su.exec(text) : null;
  if (expression) return compileRegularExpression(expression[1] ?? "", expression[2] ?? "", allowance);
  return /^(["'])(.*)\1$/su.exec(text)?.[2] ?? text;
}

/** True where the condition holds for the item; `operand` has its inner query already replaced by its result. */
export function holds(condition: Condition, operand: unknown, item: unknown): boolean {
  const member = condition.key === "" ? item : readConditionMember(item, condition.key);
  return compare(condition.operator, member, operand) !== condition.isNegated;
}

/** The member itself, or what a dotted key leads to. */
function readConditionMember(item: unknown, key: string): unknown {
  const direct = readMember(item, key);
  if (direct.found || !key.includes(".")) return direct.value;
  return key.split(".").reduce((value: unknown, part) => readMember(value, part.trim()).value, item);
}

function compare(operator: ConditionOperator, member: unknown, operand: unknown): boolean {
  if (operator === "~") return contains(member, operand);
  if (operator === "=") return isSame(member, operand);
  if (!isComparable(member) || !isComparable(operand)) return false;
  const order = compareOrder(member, operand);
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  if (operator === ">") return order > 0;
  return order >= 0;
}

/** Below, at or above 0; as numbers where both spell one, otherwise as texts. NaN: no order. */
function compareOrder(member: string | number, operand: string | number): number {
  const difference = toNumber(member) - toNumber(operand);
  if (!Number.isNaN(difference) || typeof member === "number") return difference;
  const text = String(operand);
  return member < text ? -1 : Number(member > text);
}

function toNumber(value: string | number): number {
  return typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
}

/** Numbers meet texts of numbers, true and false their names; null its name. */
function isSame(member: unknown, operand: unknown): boolean {
  if (member === operand) return true;
  if (typeof operand !== "string")
    return isComparable(member) && isComparable(operand) && String(member) === String(operand);
  if (typeof member === "number") return operand.trim() !== "" && Number(operand) === member;
  return (typeof member === "boolean" || member === null) && String(member) === operand;
}

function isComparable(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function contains(member: unknown, operand: unknown): boolean {
  if (typeof operand === "object" && operand !== null && "test" in operand) {
    return isComparable(member) && (operand as RegularExpression).test(String(member));
  }
  if (Array.isArray(member)) return member.some((element) => isSame(element, operand));
  return typeof member === "string" && isComparable(operand) && member.includes(String(operand));
}
