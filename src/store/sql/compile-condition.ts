import type { Condition, Path, Test } from "../query/condition.ts";
import { isIndex } from "../query/path.ts";
import type { Dialect } from "./dialect.ts";
import { valueTestsOf } from "./value-tests.ts";

interface Scope<Value> {
  dialect: Dialect<Value>;
  /** What paths start from. */
  root: Value;
  /** The root is an element of an array or the value of a member; otherwise it is the document. */
  isElement: boolean;
  /** Indexed fields with their columns; none within elements. */
  indexed: ReadonlyMap<string, string>;
}

const noFields: ReadonlyMap<string, string> = new Map();

/**
 * Compiles a condition on documents into a boolean expression. Fields of `indexed` (dotted path to column,
 * or to the expression of an index) are asked by that column wherever it can answer.
 */
export function compileCondition<Value>(
  condition: Condition,
  dialect: Dialect<Value>,
  indexed: ReadonlyMap<string, string> = noFields,
): string {
  return compileWithin(condition, { dialect, root: dialect.document, isElement: false, indexed });
}

function compileWithin<Value>(condition: Condition, scope: Scope<Value>): string {
  switch (condition.kind) {
    case "all":
      return every(
        condition.conditions.map((item) => compileWithin(item, scope)),
        scope,
      );
    case "any":
      return some(
        condition.conditions.map((item) => compileWithin(item, scope)),
        scope,
      );
    case "not":
      // A test on a missing value is NULL, which is as good as false.
      return `(${compileWithin(condition.condition, scope)}) IS NOT TRUE`;
    case "field":
      return compileField(condition.path, condition.test, scope);
  }
}

function every<Value>(parts: readonly string[], { dialect }: Scope<Value>): string {
  return combine(parts, "AND") ?? dialect.always;
}

function some<Value>(parts: readonly string[], { dialect }: Scope<Value>): string {
  return combine(parts, "OR") ?? dialect.never;
}

/** Halves the list again and again: databases limit the depth of expressions. */
function combine(parts: readonly string[], operator: "AND" | "OR"): string | undefined {
  if (parts.length < 2) return parts[0];
  const middle = parts.length >> 1;
  return `(${combine(parts.slice(0, middle), operator)} ${operator} ${combine(parts.slice(middle), operator)})`;
}

function compileField<Value>(path: Path, test: Test, scope: Scope<Value>): string {
  if (path.length === 0) return scope.isElement ? compileItself(test, scope.root, scope) : scope.dialect.never;
  const column = scope.indexed.get(path.join("."));
  const quick = column === undefined ? undefined : compileIndexed(test, column, scope);
  if (quick !== undefined) return quick;
  const sql = compileMember(path, test, scope.root, scope);
  const precondition = scope.isElement ? undefined : scope.dialect.precondition?.(test);
  return precondition === undefined ? sql : `(${precondition} AND ${sql})`;
}

function compileIndexed<Value>(test: Test, column: string, scope: Scope<Value>): string | undefined {
  if (isOnWhole(test)) return undefined;
  const parts = valueTestsOf(test).map((item) => scope.dialect.indexedPasses(item, column));
  return parts.includes(undefined) ? undefined : every(parts as string[], scope);
}

function compileMember<Value>([name = "", ...rest]: Path, test: Test, object: Value, scope: Scope<Value>): string {
  return scope.dialect.member(object, name, (value) => compileValue(rest, test, value, scope));
}

/** What the path leads to from a value: through its members, those of the objects in an array, and elements by index. */
function compileValue<Value>(path: Path, test: Test, value: Value, scope: Scope<Value>): string {
  const { dialect } = scope;
  const [next, ...rest] = path;
  if (next === undefined) return compileLeaf(test, value, scope);
  const byName = dialect.spread(value, isIndex(next) ? next : undefined, (object) =>
    compileMember(path, test, object, scope),
  );
  if (!isIndex(next)) return byName;
  const byIndex = dialect.elementAt(
    value,
    next,
    (element) => `(${dialect.exists(element)} AND ${compileValue(rest, test, element, scope)})`,
  );
  return `(${byName} OR ${byIndex})`;
}

/** An array where a path ends passes when one of its elements does. */
function compileLeaf<Value>(test: Test, value: Value, scope: Scope<Value>): string {
  const itself = compileItself(test, value, scope);
  if (isOnWhole(test)) return itself;
  return `(${itself} OR ${scope.dialect.someElement(value, (element) => compileItself(test, element, scope))})`;
}

/** The condition on an element of an array, or on the value of a member. */
function compilePart<Value>(condition: Condition, root: Value, { dialect }: Scope<Value>): string {
  return compileWithin(condition, { dialect, root, isElement: true, indexed: noFields });
}

/** Tests of the value a path leads to, never of the elements of an array there. */
function isOnWhole(test: Test): test is Extract<Test, { test: "exists" | "size" | "element" | "member" }> {
  return test.test === "exists" || test.test === "size" || test.test === "element" || test.test === "member";
}

function compileItself<Value>(test: Test, value: Value, scope: Scope<Value>): string {
  const { dialect } = scope;
  switch (test.test) {
    case "exists":
      return dialect.exists(value);
    case "size":
      return dialect.hasSize(value, test.size);
    case "element":
      return dialect.someElement(value, (root) => compilePart(test.condition, root, scope));
    case "member":
      return dialect.someMember(value, (root) => compilePart(test.condition, root, scope));
    default:
      return every(
        valueTestsOf(test).map((item) => dialect.passes(item, value)),
        scope,
      );
  }
}
