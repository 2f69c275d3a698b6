import type { ErrorDetail } from "../../core/errors.ts";
import { pointerToken } from "../../core/json-pointer.ts";
import type { Task, TaskArgument } from "../../core/task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import { underOwnNames } from "./argument-names.ts";
import { taskReferences } from "./job-schemas-references.ts";
import { mismatchOf } from "./validate-workflow-schemas.ts";

/**
 * What is wrong with the arguments of a task that is tried, by the rules that workflows are validated with. `resolved`:
 * the same with every reference replaced. What lies deeper than the type of a value the task itself judges.
 */
export function trialArgumentProblems(
  model: Pick<Task, "incoming" | "otherNames">,
  task: WorkflowTask,
  resolved: Readonly<Record<string, unknown>>,
): ErrorDetail[] {
  const given = underOwnNames(model, task.variables?.incoming ?? {});
  const values = underOwnNames(model, resolved);
  const names = model.incoming.map(({ name }) => name);
  const surplus = Object.keys(given).filter((name) => !names.includes(name));
  return [
    ...surplus.map((name) => problem(name, `is not an argument of ${task.name}${takes(names)}`)),
    ...referenceProblems(task),
    ...model.incoming.flatMap((argument) => valueProblems(argument, given, values)),
  ].slice(0, mostProblems);
}

/** More than anybody reads; what is sent may hold millions. */
const mostProblems = 100;

function takes(names: readonly string[]): string {
  return names.length === 0 ? ", which takes none" : `, which takes ${names.join(", ")}`;
}

/** A trial has job variables, but no other task whose output could be read. */
function referenceProblems(task: WorkflowTask): ErrorDetail[] {
  return taskReferences(task)
    .filter(({ source, isResolved }) => isResolved && source !== "job")
    .map(({ argument, source, name }) =>
      problem(argument, `reads ${name} of task ${source}: in a trial there is no other task, so give the value itself`),
    );
}

function valueProblems(
  { name, schema, isOptional = false }: TaskArgument,
  given: Readonly<Record<string, unknown>>,
  resolved: Readonly<Record<string, unknown>>,
): ErrorDetail[] {
  const value = Object.hasOwn(resolved, name) ? resolved[name] : undefined;
  if (isOptional && (value === undefined || value === null || value === "")) return [];
  if (value === undefined)
    return [problem(name, Object.hasOwn(given, name) ? "reads a variable that is not given" : "is missing")];
  const mismatch = mismatchOf(value, schema);
  return mismatch === undefined ? [] : [problem(name, mismatch)];
}

function problem(argument: string, message: string): ErrorDetail {
  return { path: `/body/incoming/${pointerToken(argument)}`, message };
}
