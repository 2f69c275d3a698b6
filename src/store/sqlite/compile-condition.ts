import type { Condition, Path, Test } from "../query/condition.ts";
import { compileIndexedTest } from "./compile-indexed-test.ts";
import { compileValueTest, type Operand } from "./compile-value-test.ts";
import { routesOf, type Hop } from "./path-routes.ts";
import { SqlParameters } from "./sql-parameters.ts";

/** SQL with named parameters. */
export interface CompiledSql {
  sql: string;
  parameters: Record<string, string | number>;
}

interface Scope {
  parameters: SqlParameters;
  /** The JSON object that paths start from, as SQL; NULL where it is not an object. */
  object: string;
  /** The root itself, where it is an element of an array. */
  element?: Operand;
  /** Indexed fields with their expressions; none within elements. */
  indexed: ReadonlyMap<string, string>;
}

const noFields: ReadonlyMap<string, string> = new Map();

/**
 * Compiles a condition into a WHERE expression over the text column `doc`. Values and paths are bound
 * parameters; fields of `indexed` are compared by their index expressions. A `$regex` calls the function
 * `regex_matches(pattern, flags, text)`, which the connection must have.
 */
export function compileToSqlite(condition: Condition, indexed: ReadonlyMap<string, string> = noFields): CompiledSql {
  const parameters = new SqlParameters();
  const sql = compileCondition(condition, { parameters, object: "doc", indexed });
  return { sql, parameters: parameters.values };
}

/** The same as part of a larger statement. */
export function compileWhere(
  condition: Condition,
  parameters: SqlParameters,
  indexed: ReadonlyMap<string, string>,
): string {
  return compileCondition(condition, { parameters, object: "doc", indexed });
}

function compileCondition(condition: Condition, scope: Scope): string {
  switch (condition.kind) {
    case "all":
      return combine(
        condition.conditions.map((item) => compileCondition(item, scope)),
        "AND",
        "1",
      );
    case "any":
      return combine(
        condition.conditions.map((item) => compileCondition(item, scope)),
        "OR",
        "0",
      );
    case "not":
      // A test on a missing value is NULL, which is as good as false.
      return `(${compileCondition(condition.condition, scope)}) IS NOT TRUE`;
    case "field":
      return compileField(condition.path, condition.test, scope);
  }
}

/** Halves the list again and again: SQLite limits the depth of expressions. */
function combine(parts: readonly string[], operator: "AND" | "OR", empty: string): string {
  const [only] = parts;
  if (only === undefined) return empty;
  if (parts.length === 1) return only;
  const middle = parts.length >> 1;
  return `(${combine(parts.slice(0, middle), operator, empty)} ${operator} ${combine(parts.slice(middle), operator, empty)})`;
}

function compileField(path: Path, test: Test, scope: Scope): string {
  if (path.length === 0) return scope.element ? compileItself(test, scope.element, scope) : "0";
  const expression = scope.indexed.get(path.join("."));
  const quick = expression && compileIndexedTest(test, expression, scope.parameters);
  if (quick) return quick;
  return combine(
    routesOf(path).map((route) => compileRoute(route, test, scope)),
    "OR",
    "0",
  );
}

/**
 * One route: a chain of tables, each with the values that the path so far leads to. An array is
 * spread into its elements; a single value becomes a table of one row.
 */
function compileRoute(route: readonly Hop[], test: Test, scope: Scope): string {
  const { parameters } = scope;
  const tables: string[] = [];
  const guards: string[] = [];
  let object = scope.object;
  route.slice(0, -1).forEach((hop, index) => {
    const path = parameters.bind(hop.path);
    const alias = parameters.alias();
    const type = `json_type(${object}, ${path})`;
    tables.push(
      `json_each(CASE ${type} WHEN 'array' THEN ${object} -> ${path} ELSE '[' || coalesce(${object} -> ${path}, 'null') || ']' END) AS ${alias}`,
    );
    if (hop.isIndexed) guards.push(`${type} IS NOT NULL`);
    const element = `CASE ${alias}.type WHEN 'object' THEN ${alias}.value END`;
    guards.push(`(${type} IS NOT 'array' OR ${elementGuard(alias, element, route[index + 1], parameters)})`);
    object = element;
  });
  const leaf = compileLeaf(route.at(-1), test, { ...scope, object });
  if (tables.length === 0) return leaf;
  return `EXISTS (SELECT 1 FROM ${tables.join(", ")} WHERE ${[...guards, leaf].join(" AND ")})`;
}

/** Only objects among the elements lead on; to a numeric member only those that have it. */
function elementGuard(alias: string, element: string, next: Hop | undefined, parameters: SqlParameters): string {
  return next?.isNumeric
    ? `json_type(${element}, ${parameters.bind(next.path)}) IS NOT NULL`
    : `${alias}.type = 'object'`;
}

function compileLeaf(hop: Hop | undefined, test: Test, scope: Scope): string {
  if (!hop) return "0";
  const path = scope.parameters.bind(hop.path);
  const operand: Operand = {
    type: `json_type(${scope.object}, ${path})`,
    value: `json_extract(${scope.object}, ${path})`,
    array: `${scope.object}, ${path}`,
  };
  const itself = compileItself(test, operand, scope);
  const sql = isOnWhole(test)
    ? itself
    : `(${itself} OR ${compileElements(operand, scope, (element) => compileItself(test, element, scope))})`;
  return hop.isIndexed ? `(${operand.type} IS NOT NULL AND ${sql})` : sql;
}

/** Tests of the value a path leads to, never of the elements of an array there. */
function isOnWhole(test: Test): boolean {
  return test.test === "exists" || test.test === "size" || test.test === "element";
}

function compileItself(test: Test, operand: Operand, scope: Scope): string {
  switch (test.test) {
    case "exists":
      return `${operand.type} IS NOT NULL`;
    case "size":
      return `(${operand.type} = 'array' AND json_array_length(${operand.array}) = ${scope.parameters.bind(test.size)})`;
    case "element":
      return compileElements(operand, scope, (element, object) =>
        compileCondition(test.condition, { parameters: scope.parameters, object, element, indexed: noFields }),
      );
    default:
      return compileValueTest(test, operand, scope.parameters);
  }
}

/** True when the operand is an array with an element that passes. */
function compileElements(
  operand: Operand,
  scope: Scope,
  compile: (element: Operand, object: string) => string,
): string {
  const alias = scope.parameters.alias();
  const within = (type: string): string => `CASE ${alias}.type WHEN '${type}' THEN ${alias}.value END`;
  const element: Operand = { type: `${alias}.type`, value: `${alias}.value`, array: within("array") };
  return `(${operand.type} = 'array' AND EXISTS (SELECT 1 FROM json_each(${operand.array}) AS ${alias} WHERE ${compile(element, within("object"))}))`;
}
