import { filters } from "./filters/index.ts";
import { compareValues } from "./compile/compile-comparison.ts";
import { byName, define, required } from "./runtime/define.ts";
import type { Definition, Run } from "./runtime/runtime.ts";
import { hasCase } from "./text/letter-case.ts";
import { calculate } from "./values/arithmetic.ts";
import { contains, isEqual } from "./values/compare.ts";
import { Dict, DictView, keyOf } from "./values/dict.ts";
import { elementsOf, sizeOf } from "./values/iterate.ts";
import { textOf } from "./values/repr.ts";
import { Undefined } from "./values/undefined.ts";
import {
  Callable,
  Iterated,
  Markup,
  PythonObject,
  Tuple,
  charactersOf,
  isNumber,
  isText,
  type Value,
} from "./values/value.ts";

function asking(name: string, answer: (value: Value) => boolean): Definition {
  return define(name, [], (_, value) => answer(value));
}

function asksCase(wanted: "lower" | "upper"): Definition {
  return define(wanted, [], ({ budget }, value) => {
    const text = textOf(budget, value);
    budget.chargeCharacters(text.length);
    return hasCase(text, wanted);
  });
}

function remainderIs(by: bigint, wanted: bigint): Run {
  return ({ budget }, value) => isEqual(budget, calculate(budget, value, "%", by), wanted);
}

function comparing(names: readonly string[], operator: Parameters<typeof compareValues>[2]): readonly Definition[] {
  const run: Run = ({ budget }, value, [other = null]) => compareValues(budget, value, operator, other);
  return names.map((name) => define(name, [required("other")], run));
}

const isWhole = (value: Value) => typeof value === "bigint";

const questions: readonly Definition[] = [
  define("odd", [], remainderIs(2n, 1n)),
  define("even", [], remainderIs(2n, 0n)),
  define("divisibleby", [required("num")], ({ budget }, value, [by = null]) =>
    isEqual(budget, calculate(budget, value, "%", by), 0n),
  ),
  asking("defined", (value) => !(value instanceof Undefined)),
  asking("undefined", (value) => value instanceof Undefined),
  define("filter", [], (runtime, value) => runtime.filters.has(nameOf(value))),
  define("test", [], (runtime, value) => runtime.tests.has(nameOf(value))),
  asking("none", (value) => value === null),
  asking("boolean", (value) => typeof value === "boolean"),
  asking("false", (value) => value === false),
  asking("true", (value) => value === true),
  asking("integer", isWhole),
  asking("float", (value) => typeof value === "number"),
  asksCase("lower"),
  asksCase("upper"),
  asking("string", isText),
  asking("mapping", (value) => value instanceof Dict),
  asking("number", isNumber),
  asking("sequence", isSequence),
  asking("iterable", (value) => elementsOf(value) !== undefined),
  asking("callable", (value) => value instanceof Callable || value instanceof Undefined),
  define("sameas", [required("other")], (_, value, [other = null]) => isSame(value, other)),
  asking("escaped", (value) => value instanceof Markup || (value instanceof PythonObject && value.isMarkup === true)),
  define("in", [required("seq")], ({ budget }, value, [container = null]) => contains(budget, container, value)),
];

/** The name that a value is; TypeError for values that cannot be looked up. */
function nameOf(value: Value): string {
  keyOf(value);
  return isText(value) ? charactersOf(value) : "";
}

function isSequence(value: Value): boolean {
  if (value instanceof Iterated || value instanceof DictView) return false;
  return sizeOf(value) !== undefined && !(value instanceof PythonObject && value.elementCount);
}

/** Small ints and texts are one object each in Python, lists and floats are not: only values that are the same one count. */
function isSame(left: Value, right: Value): boolean {
  if (left instanceof Tuple && right instanceof Tuple)
    return left === right || left.items.length + right.items.length === 0;
  return left === right;
}

/** Every test of Jinja 3.1 by its name. */
export const tests: ReadonlyMap<string, Definition> = byName([
  ...questions,
  ...comparing(["==", "eq", "equalto"], "=="),
  ...comparing(["!=", "ne"], "!="),
  ...comparing([">", "gt", "greaterthan"], ">"),
  ...comparing(["ge", ">="], ">="),
  ...comparing(["<", "lt", "lessthan"], "<"),
  ...comparing(["<=", "le"], "<="),
]);

/** What templates find without importing anything. */
export const library = { filters, tests };
