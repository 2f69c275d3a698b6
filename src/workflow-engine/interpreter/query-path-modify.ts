import { TaskError } from "../../core/task.ts";
import { createMatcher, mapsOver, resolveKey } from "./query-path.ts";
import { isIndex, readMember, setMember } from "./query-path-members.ts";
import { parseQuery, type QueryStep } from "./query-path-syntax.ts";
import type { PatternAllowance } from "./regular-expression.ts";

/** What is replaced, and by what; `root` is the whole value, for queries in braces. */
interface Modification {
  root: unknown;
  newValue: unknown;
}

/** The changed copy, or undefined where the steps lead to no place. */
type Changed = { value: unknown } | undefined;

/**
 * A copy in which every place the query leads to holds `newValue`; the empty query replaces the whole
 * (workflow-engine.md §5 modify). A missing last key, or the index just past the end, is added. The
 * original is not changed. A query that leads to no place, or one with `:select`: TaskError.
 */
export function modifyAt(object: unknown, query: string, newValue: unknown, allowance?: PatternAllowance): unknown {
  const modification = { root: object, newValue };
  for (const steps of parseQuery(query, allowance)) {
    const changed = modify(steps, object, modification);
    if (changed) return changed.value;
  }
  throw new TaskError(`The query "${query.slice(0, 200)}" leads to no place that could be modified`);
}

function modify(steps: readonly QueryStep[], value: unknown, modification: Modification): Changed {
  const [step, ...rest] = steps;
  if (!step) return { value: modification.newValue };
  switch (step.step) {
    case "member":
      return modifyMember(value, resolveKey(step.key, modification.root), rest, modification);
    case "helper":
      if (step.name !== "get") throw new TaskError(`A query with :${step.name} cannot be modified`);
      return modifyMember(value, step.keys[0] ?? "", rest, modification);
    case "pluck":
      return modifyPlucked(value, step.key, rest, modification);
    case "values":
      return modifyChildren(value, step.isDeep, rest, modification);
    case "filter":
      return modifyMatches(step, value, rest, modification);
    case "search":
      return modifyFirstChild(value, step.rest, modification);
  }
}

function modifyMember(
  value: unknown,
  key: string | undefined,
  rest: readonly QueryStep[],
  modification: Modification,
): Changed {
  if (key === undefined || typeof value !== "object" || value === null) return undefined;
  if (mapsOver(value, key)) return modifyPlucked(value, key, rest, modification);
  if (Array.isArray(value) && !(isIndex(key) && Number(key) <= value.length)) return undefined;
  if (rest.length > 0 && !Object.hasOwn(value, key)) return undefined;
  const child = modify(rest, readMember(value, key).value, modification);
  return child && { value: replaceMember(value, key, child.value) };
}

function replaceMember(container: object, key: string, value: unknown): unknown {
  if (Array.isArray(container)) return Object.assign(container.slice(), { [Number(key)]: value });
  const copy: Record<string, unknown> = { ...container };
  setMember(copy, key, value);
  return copy;
}

/** Changes the member of every element that has it. */
function modifyPlucked(value: unknown, key: string, rest: readonly QueryStep[], modification: Modification): Changed {
  return modifyElements(value, [{ step: "member", key }, ...rest], modification, (item) => readMember(item, key).found);
}

/** Changes every chosen element; elements in which the rest leads nowhere stay as they are. */
function modifyElements(
  value: unknown,
  rest: readonly QueryStep[],
  modification: Modification,
  isChosen: (item: unknown) => boolean,
): Changed {
  if (!Array.isArray(value)) return undefined;
  const change = (item: unknown): unknown =>
    changedOrSame(item, isChosen(item) ? modify(rest, item, modification) : undefined);
  return { value: value.map(change) };
}

function changedOrSame(value: unknown, changed: Changed): unknown {
  return changed ? changed.value : value;
}

function modifyChildren(
  value: unknown,
  isDeep: boolean,
  rest: readonly QueryStep[],
  modification: Modification,
): Changed {
  if (typeof value !== "object" || value === null) return undefined;
  const change = (child: unknown): unknown => {
    if (isDeep && Array.isArray(child)) return modifyElements(child, rest, modification, () => true)?.value;
    return changedOrSame(child, modify(rest, child, modification));
  };
  if (Array.isArray(value)) return { value: value.map(change) };
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) setMember(copy, key, change(child));
  return { value: copy };
}

function modifyMatches(
  step: Extract<QueryStep, { step: "filter" }>,
  value: unknown,
  rest: readonly QueryStep[],
  modification: Modification,
): Changed {
  if (!Array.isArray(value)) return undefined;
  const matches = createMatcher(step.anyOf, modification.root);
  if (step.isMultiple) return modifyElements(value, rest, modification, matches);
  const index = value.findIndex(matches);
  if (index < 0) return undefined;
  const child = modify(rest, value[index], modification);
  return child && { value: replaceMember(value, String(index), child.value) };
}

function modifyFirstChild(value: unknown, rest: readonly QueryStep[], modification: Modification): Changed {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const changed = modify(rest, child, modification);
    if (changed) return { value: replaceMember(value, key, changed.value) };
  }
  return undefined;
}
