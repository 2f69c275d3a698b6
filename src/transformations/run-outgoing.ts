import type { OutgoingNode } from "./compiled-transformation.ts";
import { defineMember, isRecord } from "./libraries/conversions.ts";
import { DateValue, RegExpValue } from "./libraries/special-values.ts";
import { Poison } from "./poison.ts";
import { RunLimitError, runLimits } from "./run-limits.ts";
import { notTaken, readWires, type Frame } from "./run-wires.ts";

/** Puts an outgoing value together. A failed value where one of its parts failed; `notTaken` where none is assigned. */
export function buildOutgoing({ wires, container, children }: OutgoingNode, frame: Frame): unknown {
  const whole = wires.length === 0 ? notTaken : readWires(wires, frame);
  if (children.length === 0 || whole instanceof Poison) return whole;
  let target: object | undefined;
  for (const { key, node } of children) {
    const part = buildOutgoing(node, frame);
    if (part instanceof Poison) return part;
    if (part === notTaken) continue;
    target ??= copyShallow(whole) ?? (container === "list" ? [] : {});
    setPart(target, key, part);
  }
  return target ?? whole;
}

function copyShallow(value: unknown): object | undefined {
  if (Array.isArray(value)) return value.slice();
  return isRecord(value) ? { ...value } : undefined;
}

function setPart(target: object, key: string, part: unknown): void {
  if (!Array.isArray(target)) defineMember(target, key, part);
  else if (/^(?:0|[1-9]\d{0,5})$/u.test(key)) target[Number(key)] = part;
}

/**
 * Copies that share nothing with the incoming values or the document. Dates become their ISO text, sets lists,
 * regular expressions their text. The copying is charged.
 */
export function copyOut(values: readonly unknown[], charge: (cells: number) => void): unknown[] {
  const budget = { left: runLimits.valueSize, charge };
  return values.map((value) => copyPart(value, budget, runLimits.nesting));
}

interface CopyBudget {
  left: number;
  charge(cells: number): void;
}

function copyPart(value: unknown, budget: CopyBudget, nesting: number): unknown {
  budget.left -= 1;
  if (budget.left < 0) throw new RunLimitError(`the outgoing values have more than ${runLimits.valueSize} parts`);
  if (typeof value !== "object" || value === null) return value;
  if (nesting === 0) throw new RunLimitError(`an outgoing value is nested more than ${runLimits.nesting} deep`);
  if (value instanceof DateValue) return value.toJSON();
  if (value instanceof RegExpValue) return value.toString();
  if (Array.isArray(value) || value instanceof Set) {
    budget.charge(Array.isArray(value) ? value.length : value.size);
    return Array.from(value as Iterable<unknown>, (element) => copyPart(element, budget, nesting - 1));
  }
  const copy = {};
  const members = Object.entries(value);
  budget.charge(members.length);
  for (const [key, member] of members) defineMember(copy, key, copyPart(member, budget, nesting - 1));
  return copy;
}
