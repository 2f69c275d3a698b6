import { compareOperands, contains, type EvaluationMode } from "./evaluation-operators.ts";
import { compileQueryPath, readQueryText } from "./query-path.ts";
import type { PatternAllowance } from "./regular-expression.ts";

/** One comparison on plain values; the queries are applied to their operand first. */
export interface Evaluation {
  operand_1?: unknown;
  operator?: unknown;
  operand_2?: unknown;
  /** Applied to `operand_1`. */
  query?: unknown;
  /** Applied to `operand_2`. */
  rightQuery?: unknown;
}

export interface EvaluationGroup {
  /** True: all evaluations must hold; otherwise one is enough. */
  all_true_flag?: unknown;
  evaluations: readonly Evaluation[];
}

export interface Evaluations {
  groups: readonly EvaluationGroup[];
  /** True: all groups must hold; otherwise one is enough. */
  isAllTrue: boolean;
  /** True: no operand is converted to the type of the other. */
  isStrict?: boolean;
  /** How long patterns may take; default `each`. */
  allowance?: PatternAllowance;
}

/**
 * Result of a task `evaluation` or of the evaluation routes (workflow-engine.md §5 evaluation).
 * An unknown operator is false. A malformed query: TaskError.
 */
export function evaluateGroups({ groups, isAllTrue, isStrict = false, allowance = "each" }: Evaluations): boolean {
  return all(isAllTrue, groups, (group) =>
    all(group.all_true_flag === true, group.evaluations, (evaluation) => evaluate(evaluation, { isStrict, allowance })),
  );
}

function all<Item>(mustAllHold: boolean, items: readonly Item[], holds: (item: Item) => boolean): boolean {
  return mustAllHold ? items.every(holds) : items.some(holds);
}

/** One comparison. */
export function evaluate(evaluation: Evaluation, mode: EvaluationMode): boolean {
  const left = applyQuery(evaluation.operand_1, evaluation.query, mode);
  const right = applyQuery(evaluation.operand_2, evaluation.rightQuery, mode);
  switch (evaluation.operator) {
    case "contains":
      return contains(left, right, mode);
    case "!contains":
      return !contains(left, right, mode);
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compareOperands(evaluation.operator, left, right, mode);
    default:
      return false;
  }
}

function applyQuery(operand: unknown, query: unknown, { allowance }: EvaluationMode): unknown {
  const text = readQueryText(query);
  return (text === "" ? operand : compileQueryPath(text, allowance)(operand).value) ?? null;
}
