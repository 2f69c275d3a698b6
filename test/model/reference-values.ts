import type { WorkflowTask } from "../../src/workflow-engine/workflow-schema.ts";

/** How a run ends. */
export type Result = {
  finishState: "success" | "failure" | "error";
  outgoing: Record<string, unknown>;
  error?: unknown;
};

/** What references read: job variables, and outputs of the last run of a task that was not reset (spec §4). */
export type Values = {
  variables: Record<string, unknown>;
  outputOf: (task: string, name: string) => unknown;
};

const reference = /^\$var\.([^.]+)\.(.+)$/;

/** A value of `incoming`: a whole `$var` string is resolved, everything else stays as it is. */
export function resolve(value: unknown, values: Values): unknown {
  const parts = typeof value === "string" ? reference.exec(value) : null;
  return parts ? read(parts[1] ?? "", parts[2] ?? "", values) : value;
}

/** A task that gave nothing reads as null; only a job variable can be undefined, for the tasks of the engine. */
function read(source: string, name: string, { variables, outputOf }: Values): unknown {
  if (source === "job") return Object.hasOwn(variables, name) ? variables[name] : undefined;
  return outputOf(source, name) ?? null;
}

/** A structured reference of merge, evaluation and childJob: `static`, `job`, or a task. */
export function readStructured(task: string, variable: unknown, values: Values): unknown {
  return task === "static" ? variable : read(task, String(variable), values);
}

/** The job variable an outgoing or error binding writes, if it is one. */
export function boundVariable(binding: unknown): string | undefined {
  const parts = typeof binding === "string" ? reference.exec(binding) : null;
  return parts?.[1] === "job" ? parts[2] : undefined;
}

type Incoming = Record<string, unknown>;
type EngineTask = (incoming: Incoming, values: Values) => Result;

const success = (outgoing: Record<string, unknown>): Result => ({ finishState: "success", outgoing });
const failed = (error: string): Result => ({ finishState: "error", outgoing: {}, error });

/** Tasks that the engine does at once, as far as the generator uses them (spec §5). */
const engineTasks: Record<string, EngineTask> = {
  newVariable: ({ name, value }, { variables }) => {
    variables[String(name)] = value;
    return success({ value });
  },
  push: ({ job_variable, item_to_push }, { variables }) => {
    const list = variables[String(job_variable)] ?? [];
    if (!Array.isArray(list)) return failed("not an array");
    variables[String(job_variable)] = [...list, item_to_push ?? null];
    return success({ job_variable_value: variables[String(job_variable)] });
  },
  pop: ({ job_variable }, values) => takeItem(String(job_variable), values, "popped_item"),
  shift: ({ job_variable }, values) => takeItem(String(job_variable), values, "shifted_item"),
  evaluation: ({ all_true_flag, evaluation_groups }, values) => {
    const groups = evaluation_groups as EvaluationGroup[];
    const isTrue = every(all_true_flag, groups, (group) =>
      every(group.all_true_flag, group.evaluations, (rule) => holds(rule, values)),
    );
    return { finishState: isTrue ? "success" : "failure", outgoing: { return_value: isTrue } };
  },
  query: ({ pass_on_null, query, obj }) => {
    const key = String(query);
    const isFound = typeof obj === "object" && obj !== null && Object.hasOwn(obj, key);
    const outgoing = { return_data: isFound ? ((obj as Incoming)[key] ?? null) : null };
    return { finishState: isFound || pass_on_null === true ? "success" : "failure", outgoing };
  },
  merge: ({ data_to_merge }, values) => {
    const parts = data_to_merge as { key: string; value: Operand }[];
    return success({
      merged_object: Object.fromEntries(
        parts.map(({ key, value }) => [key, readStructured(value.task, value.variable, values)]),
      ),
    });
  },
};

type Operand = { task: string; variable: unknown };
type EvaluationRule = { operand_1: Operand; operator: string; operand_2: Operand };
type EvaluationGroup = { all_true_flag: boolean; evaluations: EvaluationRule[] };

function every<T>(isAll: unknown, items: readonly T[], test: (item: T) => boolean): boolean {
  return isAll === true ? items.every((item) => test(item)) : items.some((item) => test(item));
}

/** Numbers against numbers only: types are another matter, with tests of their own. */
function holds({ operand_1, operator, operand_2 }: EvaluationRule, values: Values): boolean {
  const left = readStructured(operand_1.task, operand_1.variable, values);
  const right = readStructured(operand_2.task, operand_2.variable, values);
  if (typeof left !== "number" || typeof right !== "number") return false;
  return operator === "<" ? left < right : operator === ">=" ? left >= right : left === right;
}

/** pop takes the last item of a list, shift the first. */
function takeItem(name: string, { variables }: Values, item: "popped_item" | "shifted_item"): Result {
  const list = variables[name] ?? [];
  if (!Array.isArray(list)) return failed("not an array");
  if (list.length === 0) return { finishState: "failure", outgoing: {} };
  const isFirst = item === "shifted_item";
  variables[name] = isFirst ? list.slice(1) : list.slice(0, -1);
  return success({ [item]: isFirst ? list[0] : list.at(-1) });
}

/** Does a task of the engine at once; undefined for every other task. */
export function runEngineTask({ name, app }: WorkflowTask, incoming: Incoming, values: Values): Result | undefined {
  return app === "WorkFlowEngine" ? engineTasks[name]?.(incoming, values) : undefined;
}
