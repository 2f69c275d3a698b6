import { largestParsed } from "../../core/result-size.ts";
import { StoredValue } from "../../core/stored-value.ts";
import { TaskError } from "../../core/task.ts";

/*
 * Values kept in the store are too large to look into. A task that hands a value on takes one; any other ends in
 * error, because it would take the handle for the value.
 */

/** Arguments of engine tasks that are handed on: `itself` whatever it is, `within` what is in it. All others are looked into. */
const handedOn: Readonly<Record<string, Readonly<Record<string, "itself" | "within">>>> = {
  childJob: { variables: "within", data_array: "within" },
  forEach: { data_array: "within" },
  merge: { data_to_merge: "within" },
  newVariable: { value: "itself" },
  push: { item_to_push: "itself" },
};

/** TaskError when an engine task would have to look into a value that is kept in the store, naming the argument. */
export function refuseStored(taskName: string, incoming: Readonly<Record<string, unknown>>): void {
  const handing = Object.hasOwn(handedOn, taskName) ? handedOn[taskName] : undefined;
  for (const [name, value] of Object.entries(incoming)) {
    const how = handing && Object.hasOwn(handing, name) ? handing[name] : undefined;
    if (how === undefined) requireParsed(name, value);
    else if (how === "within" && value instanceof StoredValue) throw storedArgument(name, value);
  }
}

/** TaskError when the value, or a part of it, is kept in the store. */
export function requireParsed(name: string, value: unknown): void {
  const stored = storedWithin(value);
  if (stored) throw storedArgument(name, stored);
}

/** What is to be said of an argument that cannot be looked into. */
export function storedArgument(name: string, { size }: StoredValue): TaskError {
  return new TaskError(
    `${name} is kept in the store, because it has ${size} characters as JSON: at most ${largestParsed} can be looked into. ` +
      "Values of that size can only be handed on, to variables, child jobs and tasks that stream them",
  );
}

function storedWithin(value: unknown): StoredValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof StoredValue) return value;
  for (const member of Object.values(value)) {
    const stored = storedWithin(member);
    if (stored) return stored;
  }
  return undefined;
}
