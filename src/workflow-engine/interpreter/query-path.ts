import { TaskError } from "../../core/task.ts";
import { holds, type Condition } from "./query-path-condition.ts";
import { found, isIndex, notFound, readMember, setMember, type Found } from "./query-path-members.ts";
import type { PatternAllowance } from "./regular-expression.ts";
import { parseQuery, type KeySource, type ParsedQuery, type QueryStep } from "./query-path-syntax.ts";

/** What a query led to. An existing null is found; `value` is null where nothing is. */
export type QueryResult = Found;

/** A query that is read once and asked many times. */
export type QueryPath = (value: unknown) => QueryResult;

/**
 * Reads a query of the field's language (workflow-engine.md §5 query, tasks-and-transformations.md §6):
 * `a.b`, `[n]`, `[key]`, `[k=v]` first match, `[*k=v]` all matches, `!=`, `~/re/`, `!~/re/`, `~text`, `<`, `<=`,
 * `>`, `>=`, `&`, `|`, `[*]` and `[**]` all members, `[]` first child that has the rest, `list.f` and `[*f]`
 * over an array, `[{query}]`, `a|b`, `:get(key)`, `:select(key, key)`. The empty query is the whole value.
 *
 * Throws TaskError that names the position where the query is malformed.
 */
export function compileQueryPath(query: string, allowance?: PatternAllowance): QueryPath {
  const parsed = parseQuery(query, allowance);
  return (value) => runQuery(parsed, value, value);
}

/** Asks a query once. */
export function queryPath(query: string, value: unknown, allowance?: PatternAllowance): QueryResult {
  return compileQueryPath(query, allowance)(value);
}

function runQuery(parsed: ParsedQuery, root: unknown, value: unknown): QueryResult {
  let best: QueryResult = notFound;
  for (const steps of parsed) {
    const result = runSteps(steps, root, value);
    if (result.found && result.value !== null) return result;
    if (result.found) best = result;
  }
  return best;
}

function runSteps(steps: readonly QueryStep[], root: unknown, start: unknown): QueryResult {
  let result = found(start);
  for (const step of steps) {
    if (!result.found) return notFound;
    result = runStep(step, root, result.value);
  }
  return result;
}

function runStep(step: QueryStep, root: unknown, value: unknown): QueryResult {
  switch (step.step) {
    case "member":
      return readOrPluck(value, resolveKey(step.key, root));
    case "pluck":
      return Array.isArray(value) ? found(pluck(value, step.key)) : notFound;
    case "values":
      return readValues(value, step.isDeep);
    case "filter":
      return runFilter(step, root, value);
    case "helper":
      return step.name === "get" ? readOrPluck(value, step.keys[0] ?? "") : found(select(value, step.keys));
    case "search":
      return searchChildren(step.rest, root, value);
  }
}

/** The text a key stands for; undefined where its inner query finds none. */
export function resolveKey(key: KeySource, root: unknown): string | undefined {
  if (typeof key === "string") return key;
  const { value } = runQuery(key.query, root, root);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function readOrPluck(value: unknown, key: string | undefined): QueryResult {
  if (key === undefined) return notFound;
  return mapsOver(value, key) ? found(pluck(value, key)) : readMember(value, key);
}

/** A key that is no place of an array is asked of each element. */
export function mapsOver(value: unknown, key: string): value is unknown[] {
  return Array.isArray(value) && !Object.hasOwn(value, key) && !/^-?\d+$/u.test(key);
}

/** The member of every element that has it; arrays among them are joined into one. */
function pluck(list: readonly unknown[], key: string): unknown[] {
  const values: unknown[] = [];
  for (const item of list) {
    const member = readMember(item, key);
    if (!member.found || (Array.isArray(item) && isIndex(key) && Number(key) >= item.length)) continue;
    if (Array.isArray(member.value)) for (const element of member.value) values.push(element);
    else values.push(member.value);
  }
  return values;
}

function readValues(value: unknown, isDeep: boolean): QueryResult {
  if (typeof value !== "object" || value === null) return notFound;
  const values: unknown[] = Object.values(value);
  return found(isDeep ? values.flat() : values);
}

function runFilter(step: Extract<QueryStep, { step: "filter" }>, root: unknown, value: unknown): QueryResult {
  if (!Array.isArray(value)) return notFound;
  const matches = createMatcher(step.anyOf, root);
  if (step.isMultiple) return found(value.filter(matches));
  const index = value.findIndex(matches);
  return index < 0 ? notFound : found(value[index]);
}

/** Tells which items of a list a filter selects; inner queries are asked once, not per item. */
export function createMatcher(anyOf: readonly (readonly Condition[])[], root: unknown): (item: unknown) => boolean {
  const groups = anyOf.map((group) =>
    group.map((condition) => ({ condition, operand: resolveOperand(condition, root) })),
  );
  return (item) => groups.some((group) => group.every(({ condition, operand }) => holds(condition, operand, item)));
}

function resolveOperand({ operand }: Condition, root: unknown): unknown {
  return typeof operand === "object" && "query" in operand ? runQuery(operand.query, root, root).value : operand;
}

/** `:select(a, b)`: the object, or each object of a list, with only these members. */
function select(value: unknown, keys: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => select(item, keys));
  if (typeof value !== "object" || value === null) return value;
  const selected: Record<string, unknown> = {};
  for (const key of keys) {
    const member = readMember(value, key);
    if (member.found) setMember(selected, key, member.value);
  }
  return selected;
}

/** The first child, in order, in which the rest of the query finds something that is not null. */
function searchChildren(rest: readonly QueryStep[], root: unknown, value: unknown): QueryResult {
  if (typeof value !== "object" || value === null) return notFound;
  for (const child of Object.values(value)) {
    const result = runSteps(rest, root, child);
    if (result.found && result.value !== null) return result;
  }
  return notFound;
}

/** The query of a task argument, which must be a text; not given means the whole value. */
export function readQueryText(query: unknown): string {
  if (query === undefined || query === null) return "";
  if (typeof query !== "string") throw new TaskError("Invalid query: it must be a text");
  return query;
}
