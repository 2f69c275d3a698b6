import { StoredValue } from "../../core/stored-value.ts";
import { TaskError, type TaskResult } from "../../core/task.ts";
import { chargeFor, record } from "./draft.ts";
import type { StartedTask } from "./start-task.ts";
import { storedArgument } from "./stored-arguments.ts";

/** newVariable: creates or overwrites a job variable. */
export function setVariable({ draft, incoming }: StartedTask): TaskResult {
  const name = variableName(incoming["name"]);
  const value = incoming["value"];
  if (value === undefined) record(draft, { change: "variable", name, isUndefined: true });
  else record(draft, { change: "variable", name, value });
  return { finishState: "success", outgoing: { value } };
}

/** push: appends to a job variable; a missing one is created. */
export function pushVariable(started: StartedTask): TaskResult {
  const name = variableName(started.incoming["job_variable"]);
  const value = [...readArray(started, name), started.incoming["item_to_push"] ?? null];
  record(started.draft, { change: "variable", name, value });
  return { finishState: "success", outgoing: { job_variable_value: value } };
}

/** pop: removes the last element; `failure` when there is none. */
export function popVariable(started: StartedTask): TaskResult {
  return remove(started, "popped_item", (array) => array.pop());
}

/** shift: removes the first element; `failure` when there is none. */
export function shiftVariable(started: StartedTask): TaskResult {
  return remove(started, "shifted_item", (array) => array.shift());
}

function remove(started: StartedTask, outgoing: string, take: (array: unknown[]) => unknown): TaskResult {
  const name = variableName(started.incoming["job_variable"]);
  const array = [...readArray(started, name)];
  chargeFor(started.draft, { characters: 0, elements: array.length });
  if (array.length === 0) return { finishState: "failure", outgoing: {} };
  const item = take(array);
  record(started.draft, { change: "variable", name, value: array });
  // Documents name the outgoing variable of shift differently; whatever single name is declared takes the item.
  const declared = Object.keys(started.task.variables?.outgoing ?? {})[0];
  return { finishState: "success", outgoing: { [declared ?? outgoing]: item } };
}

function variableName(name: unknown): string {
  if (typeof name !== "string" || name === "") throw new TaskError("The name of the job variable is missing");
  return name;
}

function readArray({ draft }: StartedTask, name: string): readonly unknown[] {
  const { variables } = draft.state;
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value === undefined) return [];
  if (value instanceof StoredValue) throw storedArgument(`Job variable ${name}`, value);
  if (!Array.isArray(value)) throw new TaskError(`Job variable ${name} is not an array`);
  return value;
}
