import { isJsonObject } from "../../core/json.ts";
import type { WorkflowTask } from "../workflow-schema.ts";

/** A place of a task that takes its value from elsewhere: `$var.<source>.<name>`, or a structured reference. */
export interface TaskReference {
  /** `job`, or the id of the task whose output is read. */
  source: string;
  /** Name of the job variable or output. */
  name: string;
  /** JSON pointer into the value, where the document carries one behind `#`. */
  pointer?: string;
  /** The argument of the task that the reference stands in. */
  argument: string;
  /** True when the whole argument is the reference. */
  isWhole: boolean;
  /** False when it stands deeper than the engine resolves (spec: workflow-engine.md §4) and so stays text. */
  isResolved: boolean;
}

const referenceText = /^\$var\.([^.]+)\.([^#]+)(?:#(.*))?$/su;

/** Reads `$var.<source>.<name>`, with or without a pointer; undefined for any other value. */
export function parseReference(value: unknown): Pick<TaskReference, "source" | "name" | "pointer"> | undefined {
  const match = typeof value === "string" ? referenceText.exec(value) : null;
  if (!match) return undefined;
  const [, source = "", name = "", pointer] = match;
  return { source, name, ...(pointer === undefined ? {} : { pointer }) };
}

/** The job variable that a binding `$var.job.<name>` of an outgoing variable or of `error` writes. */
export function boundJobVariable(binding: unknown): string | undefined {
  const reference = parseReference(binding);
  return reference?.source === "job" ? reference.name : undefined;
}

/** Arguments whose members are resolved one level deeper (spec: workflow-engine.md §4). */
const deeperArguments: ReadonlySet<string> = new Set([
  "transformation.variableMap",
  "runService.params",
  "runServiceStatic.params",
  "runCode.data",
  "runAgent.inputs",
]);

/** Arguments with references of the form `{task, variable}` or `{task, value}`, and the name of their second member. */
const structuredArguments: Readonly<Record<string, "variable" | "value">> = {
  "merge.data_to_merge": "variable",
  "deepmerge.data_to_merge": "variable",
  "evaluation.evaluation_groups": "variable",
  "decision.decisionArray": "variable",
  "childJob.variables": "value",
};

/** Every reference in the incoming variables of a task, in the order of the document. */
export function taskReferences(task: WorkflowTask): TaskReference[] {
  return Object.entries(task.variables?.incoming ?? {}).flatMap(([argument, value]): TaskReference[] => {
    const own = parseReference(value);
    if (own) return [{ ...own, argument, isWhole: true, isResolved: true }];
    // People edit names, and then the label of the canvas tells.
    const keys = [task.name, task.canvasName].map((name) => `${name}.${argument}`);
    const member = keys.map((key) => structuredArguments[key]).find((found) => found !== undefined);
    return member === undefined
      ? textsBelow(value, keys.some((key) => deeperArguments.has(key)) ? 1 : 0).map((found) => ({
          ...found,
          argument,
          isWhole: false,
        }))
      : operandsBelow(value, member).map((found) => ({ ...found, argument, isWhole: false, isResolved: true }));
  });
}

type Found = Pick<TaskReference, "source" | "name" | "pointer">;

function textsBelow(value: unknown, resolvedDepth: number): (Found & { isResolved: boolean })[] {
  return membersOf(value).flatMap((member) => {
    const reference = parseReference(member);
    if (reference) return [{ ...reference, isResolved: resolvedDepth > 0 }];
    return textsBelow(member, resolvedDepth - 1);
  });
}

function operandsBelow(value: unknown, member: "variable" | "value"): Found[] {
  return membersOf(value).flatMap((operand) => {
    const found = readOperand(operand, member);
    return found ?? operandsBelow(operand, member);
  });
}

/** The reference of an operand; an empty list for a static one; undefined when the value is no operand. */
function readOperand(operand: unknown, member: "variable" | "value"): Found[] | undefined {
  if (!isJsonObject(operand) || typeof operand["task"] !== "string" || !(member in operand)) return undefined;
  const name = operand[member];
  const source = operand["task"];
  return source === "static" || source === "" || typeof name !== "string" ? [] : [{ source, name }];
}

function membersOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
