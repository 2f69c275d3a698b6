import { isJsonObject } from "../../core/json.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import { parseReference } from "./job-schemas-references.ts";

/**
 * True when a regular expression written into the task repeats a group that itself repeats, such as `(a+)+`:
 * the form that takes exponential time on some texts. Looked at: `~/…/` of queries, the right side of `contains`, and
 * the pattern of string tasks that have one.
 */
export function hasUnsafePattern(task: WorkflowTask): boolean {
  return patternsOf(task).some(isExponential);
}

/** String tasks whose argument is a regular expression (tasks-and-transformations.md §7). */
const patternArguments: ReadonlyMap<string, string> = new Map([
  ["match", "regExp"],
  ["replace", "regExp"],
  ["search", "regexp"],
]);

/** Tasks whose argument holds groups of evaluations. */
const groupArguments: ReadonlyMap<string, string> = new Map([
  ["evaluation", "evaluation_groups"],
  ["decision", "decisionArray"],
]);

function patternsOf(task: WorkflowTask): string[] {
  const incoming = task.variables?.incoming ?? {};
  if (task.name === "query" || task.name === "modify") return queryPatterns(incoming["query"]);
  const pattern = incoming[patternArguments.get(task.name) ?? ""];
  if (typeof pattern === "string" && !parseReference(pattern)) return [pattern];
  return membersOf(incoming[groupArguments.get(task.name) ?? ""])
    .flatMap((group) => membersOf(group["evaluations"]))
    .flatMap((evaluation) => [
      ...queryPatterns(evaluation["query"]),
      ...queryPatterns(evaluation["rightQuery"]),
      ...containsPatterns(evaluation),
    ]);
}

function containsPatterns({ operator, operand_2: operand }: Record<string, unknown>): string[] {
  const isContains = operator === "contains" || operator === "!contains";
  if (!isContains || !isJsonObject(operand) || operand["task"] !== "static") return [];
  return typeof operand["variable"] === "string" ? [operand["variable"]] : [];
}

function queryPatterns(query: unknown): string[] {
  if (typeof query !== "string") return [];
  return [...query.matchAll(/~\/((?:[^/\\]|\\.)*)\//gsu)].map((match) => match[1] ?? "");
}

const patternToken = /\\.|\[(?:[^\]\\]|\\.)*\]|\(\??[:=!]?|\)|[*+]|\{\d+,\}|./gsu;
const unboundedRepeat = /^(?:[*+]|\{\d+,\})$/u;

/** Reads the pattern once from left to right and keeps, per open group, whether something inside repeats without bound. */
function isExponential(pattern: string): boolean {
  const repeatsByGroup = [false];
  let wasRepeatingGroup = false;
  for (const [token] of pattern.matchAll(patternToken)) {
    const isRepeat = unboundedRepeat.test(token);
    if (isRepeat && wasRepeatingGroup) return true;
    wasRepeatingGroup = false;
    if (token.startsWith("(")) repeatsByGroup.push(false);
    if (token === ")") wasRepeatingGroup = closeGroup(repeatsByGroup);
    if (isRepeat) repeatsByGroup[repeatsByGroup.length - 1] = true;
  }
  return false;
}

/** Ends the innermost group; what repeats in it repeats in the one around it too. */
function closeGroup(repeatsByGroup: boolean[]): boolean {
  const repeats = repeatsByGroup.pop() ?? false;
  const around = repeatsByGroup.pop() ?? false;
  repeatsByGroup.push(around || repeats);
  return repeats;
}

function membersOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
