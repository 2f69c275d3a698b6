import { isJsonObject } from "../core/json.ts";
import type { Rule, RuleResult } from "./command-template-schema.ts";
import { compare, regexReason, type RuleRegexes, type RuleVerdict } from "./comparison.ts";
import { substitute, type VariableValues } from "./substitution.ts";

/** Judges one rule on a response. The result carries the rule after substitution and as it was. */
export async function evaluateRule(
  rule: Rule,
  { response, values, regexes }: { response: string; values: VariableValues; regexes: RuleRegexes },
): Promise<RuleResult> {
  const main = substitute(rule.rule, values);
  const second = rule.ruleB === undefined || rule.ruleB === null ? undefined : substitute(String(rule.ruleB), values);
  const extras = extraMembers(rule, second?.text);
  const severity = rule.severity || "error";
  if (main.missing.length > 0 || (second && rule.eval === "#comparison" && second.missing.length > 0)) {
    return {
      rule: "Invalid Rule: Missing Parameters",
      eval: "missing_parameters",
      severity,
      raw: rule.rule,
      result: false,
      ...extras,
    };
  }
  const verdict = await judge(rule, { ruleText: main.text, ruleB: second?.text ?? "", response, regexes });
  return {
    rule: main.text,
    eval: rule.eval,
    severity,
    raw: rule.rule,
    result: verdict.passes,
    ...extras,
    ...(verdict.reason !== undefined && { reason: verdict.reason }),
  };
}

/** Does the command pass? `ignoreWarnings`: failing rules of severity `warning` and `info` count as passed. */
export function commandPasses(results: readonly RuleResult[], all: boolean, ignoreWarnings: boolean): boolean {
  if (results.length === 0) return true;
  const counts = (rule: RuleResult) =>
    rule.result || (ignoreWarnings && (rule.severity === "warning" || rule.severity === "info"));
  return all ? results.every(counts) : results.some(counts);
}

interface Judging {
  ruleText: string;
  ruleB: string;
  response: string;
  regexes: RuleRegexes;
}

function judge(rule: Rule, { ruleText, ruleB, response, regexes }: Judging): RuleVerdict | Promise<RuleVerdict> {
  const flags = regexFlags(rule);
  switch (rule.eval) {
    case "contains":
      return { passes: fold(response, flags).includes(fold(ruleText, flags)) };
    case "!contains":
      return { passes: !fold(response, flags).includes(fold(ruleText, flags)) };
    case "contains1":
      return { passes: occursOnce(fold(response, flags), fold(ruleText, flags)) };
    case "RegEx":
      return matches(regexes, { pattern: ruleText, flags, text: response }, true);
    case "!RegEx":
      return matches(regexes, { pattern: ruleText, flags, text: response }, false);
    case "#comparison": {
      const comparison = {
        operandA: ruleText,
        operandB: ruleB,
        evaluator: rule.evaluator ?? "",
        percentage: percentageOf(rule),
        flags,
      };
      return compare(comparison, response, regexes);
    }
    default:
      return { passes: false, reason: `unknown evaluation "${rule.eval}"` };
  }
}

async function matches(
  regexes: RuleRegexes,
  question: { pattern: string; flags: string; text: string },
  isWanted: boolean,
): Promise<RuleVerdict> {
  try {
    return { passes: ((await regexes.exec(question)) !== null) === isWanted };
  } catch (error) {
    return { passes: false, reason: regexReason(error) };
  }
}

function regexFlags({ flags }: Rule): string {
  if (!isJsonObject(flags)) return "";
  return (
    (flags["global"] === true ? "g" : "") +
    (flags["case"] === true ? "i" : "") +
    (flags["multiline"] === true ? "m" : "")
  );
}

function fold(text: string, flags: string): string {
  return flags.includes("i") ? text.toLowerCase() : text;
}

function occursOnce(response: string, text: string): boolean {
  const first = response.indexOf(text);
  return first !== -1 && response.indexOf(text, first + 1) === -1;
}

function percentageOf({ percentage }: Rule): number {
  return percentage === null || percentage === undefined || percentage === "" ? Number.NaN : Number(percentage);
}

function extraMembers(rule: Rule, ruleB: string | undefined): Record<string, unknown> {
  return {
    ...(rule.flags !== undefined && { flags: rule.flags }),
    ...(ruleB !== undefined && { ruleB }),
    ...(rule.evaluator !== undefined && { evaluator: rule.evaluator }),
    ...(rule.percentage !== undefined && { percentage: rule.percentage }),
  };
}
