import { isJsonObject } from "../../core/json.ts";
import { pointerToken, pointerTokens, readPointer } from "../../core/json-pointer.ts";
import { StoredValue } from "../../core/stored-value.ts";
import { setMember } from "./query-path-members.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import type { JobState } from "./job-state.ts";
import { requireParsed, storedArgument } from "./stored-arguments.ts";

/** What a missing value reads as depends on who consumes it (tasks-and-transformations.md §1.1.7). */
export interface Resolver {
  state: JobState;
  /** True for WorkFlowEngine tasks, which see an undefined job variable as undefined; others get null. */
  isEngineTask: boolean;
}

const reference = /^\$var\.([^.]+)\.(.+)$/su;

/** Resolves a whole-string `$var.<job|taskId>.<name>` reference; anything else stays as it is. */
function resolveText(resolver: Resolver, value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("$var.")) return value;
  const match = reference.exec(value);
  if (!match) return value;
  const [, source = "", target = ""] = match;
  // Newer documents carry a JSON pointer into the value behind `#`.
  const hash = target.indexOf("#/");
  if (hash < 0) return readSource(resolver, source, target);
  return readWithin(value, readSource(resolver, source, target.slice(0, hash)), target.slice(hash + 1));
}

/** TaskError where the way leads into a value that is kept in the store. */
function readWithin(name: string, value: unknown, pointer: string): unknown {
  let current = value;
  for (const token of pointerTokens(pointer)) {
    if (current instanceof StoredValue) throw storedArgument(name, current);
    current = readPointer(current, `/${pointerToken(token)}`);
  }
  return current;
}

/** Value of `job` variable or task output; every task also has the virtual output `error`. */
function readSource(resolver: Resolver, source: string, name: string): unknown {
  const { state } = resolver;
  if (source === "job") {
    const value = ownMember(state.variables, name);
    return value === undefined && !resolver.isEngineTask ? null : value;
  }
  const task = state.tasks.get(source);
  if (!task) return null;
  if (name === "error") return task.error ?? ownMember(task.outgoing, name) ?? null;
  return ownMember(task.outgoing, name) ?? null;
}

/** A structured reference `{task, variable}` or `{task, value}`; `static` carries the literal itself. */
function readOperand(resolver: Resolver, operand: unknown, member: "variable" | "value"): unknown {
  if (!isJsonObject(operand)) return operand;
  const source = operand["task"];
  const target = operand[member];
  if (source === "static" || typeof source !== "string") return target;
  if (typeof target !== "string") return null;
  const value = readSource(resolver, source, target);
  if (value !== null || source === "job") return value;
  return ownMember(resolver.state.tasks.get(source)?.incoming, target) ?? null;
}

/** One value that is looked into, resolved when it is a reference as a whole. */
export function resolveValue(state: JobState, value: unknown): unknown {
  const resolved = resolveText({ state, isEngineTask: true }, value);
  requireParsed(String(value), resolved);
  return resolved;
}

/** Incoming values of a task with every reference replaced, in the order of the document (workflow-engine.md §4). */
export function resolveIncoming(state: JobState, task: WorkflowTask): Record<string, unknown> {
  const resolver: Resolver = { state, isEngineTask: task.app === "WorkFlowEngine" || task.app === undefined };
  const resolved: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(task.variables?.incoming ?? {})) {
    setMember(resolved, name, resolveArgument(resolver, task, name, value));
  }
  return resolved;
}

function resolveArgument(resolver: Resolver, task: WorkflowTask, name: string, value: unknown): unknown {
  // People edit names, and then the label of the canvas tells.
  const structured = structuredArguments[`${task.name}.${name}`] ?? structuredArguments[`${task.canvasName}.${name}`];
  const plain = resolveText(resolver, value);
  return structured ? structured(resolver, plain) : plain;
}

/** The arguments that hold references of their own form, and the few that resolve one level deeper. */
const structuredArguments: Readonly<Record<string, (resolver: Resolver, value: unknown) => unknown>> = {
  "merge.data_to_merge": resolveMergeItems,
  "deepmerge.data_to_merge": resolveMergeItems,
  "evaluation.evaluation_groups": resolveEvaluationGroups,
  "decision.decisionArray": resolveEvaluationGroups,
  "childJob.variables": (resolver, value) => mapMembers(value, (item) => readOperand(resolver, item, "value")),
  "transformation.variableMap": resolveMembers,
  "runService.params": resolveMembers,
  "runServiceStatic.params": resolveMembers,
  "runCode.data": resolveMembers,
  "runAgent.inputs": resolveMembers,
};

function resolveMembers(resolver: Resolver, value: unknown): unknown {
  return mapMembers(value, (item) => resolveText(resolver, item));
}

function resolveMergeItems(resolver: Resolver, value: unknown): unknown {
  return mapItems(value, (item) => ({ ...item, value: readOperand(resolver, item["value"], "variable") }));
}

function resolveEvaluationGroups(resolver: Resolver, value: unknown): unknown {
  return mapItems(value, (group) => ({
    ...group,
    evaluations: mapItems(group["evaluations"], (item) => ({
      ...item,
      operand_1: readOperand(resolver, item["operand_1"], "variable"),
      operand_2: readOperand(resolver, item["operand_2"], "variable"),
    })),
  }));
}

function mapMembers(value: unknown, resolve: (item: unknown) => unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]));
}

function mapItems(value: unknown, resolve: (item: Record<string, unknown>) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => (isJsonObject(item) ? resolve(item) : item));
}

function ownMember(object: Record<string, unknown> | undefined, name: string): unknown {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
