import { RegexError, type RegexQuestion, type RegexMatch } from "../core/regex-runner.ts";

/** What rules need of a regex runner. */
export interface RuleRegexes {
  exec(question: RegexQuestion): Promise<RegexMatch | null>;
}

/** A rule's verdict. `reason` says why it could not be computed; such a rule never passes. */
export interface RuleVerdict {
  passes: boolean;
  reason?: string;
}

/** A `#comparison` after substitution. */
export interface Comparison {
  operandA: string;
  operandB: string;
  evaluator: string;
  /** For `%`: the most that B may be of A. */
  percentage: number;
  flags: string;
}

const patternOperand = /^\/([\s\S]+)\/$/;
const numericText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Compares two operands: spec templates-gateway-forms.md §1.3. An operand `/pattern/` with exactly one
 * group stands for what its first match captures; any other stands for itself. Numeric texts are compared
 * as numbers. `%` passes when B is at most `percentage` per cent of A.
 */
export async function compare(comparison: Comparison, response: string, regexes: RuleRegexes): Promise<RuleVerdict> {
  const { evaluator, percentage, flags } = comparison;
  const a = await operandValue(comparison.operandA, { flags, response, regexes });
  if ("reason" in a) return { passes: false, reason: `operand A: ${a.reason}` };
  const b = await operandValue(comparison.operandB, { flags, response, regexes });
  if ("reason" in b) return { passes: false, reason: `operand B: ${b.reason}` };
  const numbers = asNumbers(a.text, b.text);
  if (evaluator === "=" || evaluator === "!=") {
    const isEqual = numbers ? numbers.a === numbers.b : a.text === b.text;
    return { passes: isEqual === (evaluator === "=") };
  }
  if (!numbers) return { passes: false, reason: `"${evaluator}" needs two numbers` };
  return order(evaluator, numbers, percentage);
}

function order(evaluator: string, { a, b }: { a: number; b: number }, percentage: number): RuleVerdict {
  switch (evaluator) {
    case "<":
      return { passes: a < b };
    case ">":
      return { passes: a > b };
    case "<=":
      return { passes: a <= b };
    case ">=":
      return { passes: a >= b };
    case "%":
      if (a === 0) return { passes: false, reason: "operand A is 0" };
      if (!Number.isFinite(percentage)) return { passes: false, reason: "the percentage is not a number" };
      return { passes: (b / a) * 100 <= percentage };
    default:
      return { passes: false, reason: `unknown evaluator "${evaluator}"` };
  }
}

interface OperandContext {
  flags: string;
  response: string;
  regexes: RuleRegexes;
}

async function operandValue(
  operand: string,
  { flags, response, regexes }: OperandContext,
): Promise<{ text: string } | { reason: string }> {
  const pattern = patternOperand.exec(operand)?.[1];
  if (pattern === undefined) return { text: operand };
  try {
    const match = await regexes.exec({ pattern, flags, text: response });
    if (!match) return { reason: "the pattern does not match" };
    if (match.captures.length !== 1) return { reason: "the pattern must have exactly one group" };
    return { text: match.captures[0] ?? "" };
  } catch (error) {
    return { reason: regexReason(error) };
  }
}

/** Why a pattern could not be used; any other failure is thrown on. */
export function regexReason(error: unknown): string {
  if (error instanceof RegexError) return error.message;
  throw error;
}

function asNumbers(a: string, b: string): { a: number; b: number } | undefined {
  const [first, second] = [a.trim(), b.trim()];
  return numericText.test(first) && numericText.test(second) ? { a: Number(first), b: Number(second) } : undefined;
}
