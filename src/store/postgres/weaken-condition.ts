import { all, any, field, hasRegex, not, type Condition, type Path, type Test } from "../query/condition.ts";
import { certainStart, textAfter } from "../query/plain-text.ts";

/**
 * A condition without regular expressions (`hasRegex`) that is true wherever the given one is. What it
 * selects must be judged by the given one; what it leaves out need not be read.
 */
export function weaken(condition: Condition): Condition {
  return approximate(condition, "wider");
}

/** `wider`: true wherever the condition is; `narrower`: true only where the condition is. */
type Direction = "wider" | "narrower";

function approximate(condition: Condition, direction: Direction): Condition {
  if (!hasRegex(condition)) return condition;
  switch (condition.kind) {
    case "all":
      return all(condition.conditions.map((item) => approximate(item, direction)));
    case "any":
      return any(condition.conditions.map((item) => approximate(item, direction)));
    case "not":
      return not(approximate(condition.condition, direction === "wider" ? "narrower" : "wider"));
    case "field":
      return approximateField(condition.path, condition.test, direction);
  }
}

function approximateField(path: Path, test: Test, direction: Direction): Condition {
  if (test.test === "element" || test.test === "member")
    return field(path, { test: test.test, condition: approximate(test.condition, direction) });
  if (direction === "narrower" || test.test !== "regex") return any([]);
  // Any text compares with text; an index serves the range.
  const start = certainStart(test.expression);
  const end = start === "" ? undefined : textAfter(start);
  const from = field(path, { test: "compare", comparison: ">=", value: start });
  return end === undefined ? from : all([from, field(path, { test: "compare", comparison: "<", value: end })]);
}
