import type { Budget } from "../limits.ts";
import type { Comparison, Expression } from "../syntax/syntax-tree.ts";
import { contains, isEqual, isOrdered } from "../values/compare.ts";
import type { Value } from "../values/value.ts";
import type { Evaluate } from "./scope.ts";

/** A chain of comparisons: true when each holds; what comes after one that does not is not computed. */
export function compileComparison(
  expression: Extract<Expression, { type: "compare" }>,
  compile: (part: Expression) => Evaluate,
): Evaluate {
  const first = compile(expression.first);
  const rest = expression.rest.map(({ operator, value }) => ({ operator, value: compile(value) }));
  return (scope) => {
    const { budget } = scope.context.rendering;
    let left = first(scope);
    for (const { operator, value } of rest) {
      const right = value(scope);
      if (!compareValues(budget, left, operator, right)) return false;
      left = right;
    }
    return true;
  };
}

/** One comparison as Python makes it. */
export function compareValues(budget: Budget, left: Value, operator: Comparison["operator"], right: Value): boolean {
  switch (operator) {
    case "==":
      return isEqual(budget, left, right);
    case "!=":
      return !isEqual(budget, left, right);
    case "in":
      return contains(budget, right, left);
    case "not in":
      return !contains(budget, right, left);
    default:
      return isOrdered(budget, left, operator, right);
  }
}
