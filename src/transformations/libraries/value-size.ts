import { runLimits } from "../run-limits.ts";
import { isObject } from "./conversions.ts";

/**
 * Counts the values inside a value as often as they occur, texts by their length. Steps share parts of
 * values instead of copying them, so a small value in memory can be endless when it is written out.
 */
export function sizeOf(value: unknown): number {
  return measure(value, { left: runLimits.valueSize }, runLimits.nesting);
}

function measure(value: unknown, budget: { left: number }, nesting: number): number {
  const before = budget.left;
  budget.left -= typeof value === "string" ? 1 + value.length / 16 : 1;
  if (budget.left < 0) throw new RangeError("the value is too large");
  if (isObject(value)) {
    if (nesting <= 0) throw new RangeError("the value is nested too deep");
    const members: Iterable<unknown> = Array.isArray(value) || value instanceof Set ? value : Object.values(value);
    for (const member of members) measure(member, budget, nesting - 1);
  }
  return before - budget.left;
}
