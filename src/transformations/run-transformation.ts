import { isJsonObject } from "../core/json.ts";
import { TaskError } from "../core/task.ts";
import type { CompiledTransformation, FunctionPlan } from "./compiled-transformation.ts";
import { createIncomingValidator } from "./incoming-validator.ts";
import { readMember } from "./libraries/conversions.ts";
import { Poison } from "./poison.ts";
import { createRunContext, type RunContext } from "./run-context.ts";
import { RunLimitError } from "./run-limits.ts";
import { copyOut } from "./run-outgoing.ts";
import { readOutgoing, runPlan } from "./run-plan.ts";
import type { Frame } from "./run-wires.ts";
import type { TransformationEnvironment } from "./transformation-environment.ts";

/** Options of a run (spec: tasks-and-transformations.md B §3.4). Each is off unless it is true. */
export interface TransformationOptions {
  /** Answer of the run route: the bare value where there is one outgoing. */
  extractOutput: boolean;
  /** Check each incoming value against its schema first. */
  validateIncoming: boolean;
  /** An incoming value that is undefined takes the `default` of its schema. */
  revertToDefaultValue: boolean;
}

/** What a run yields: each outgoing `$id` with its value, undefined where nothing was assigned. */
export interface TransformationResult {
  outgoing: Record<string, unknown>;
}

/** Options as documents and requests write them; `""` means none. */
export function readTransformationOptions(options: unknown): TransformationOptions {
  const isOn = (name: string) => isJsonObject(options) && (options[name] === true || options[name] === "true");
  return {
    extractOutput: isOn("extractOutput"),
    validateIncoming: isOn("validateIncoming"),
    revertToDefaultValue: isOn("revertToDefaultValue"),
  };
}

/**
 * Runs a transformation on incoming values by `$id` (spec: tasks-and-transformations.md B §3). The values are
 * left as they are, and the result shares nothing with them. Always comes to an end (`runLimits`).
 * TaskError that names the step, when an outgoing value depends on one that failed, when an incoming value does
 * not fit its schema, or when the run takes too much; HeavyWorkError when it takes too much for the event loop.
 */
export function runTransformation(
  compiled: CompiledTransformation,
  incoming: Readonly<Record<string, unknown>>,
  options: unknown,
  environment: TransformationEnvironment,
): TransformationResult {
  const { plan } = compiled;
  if (!plan) throw failure(compiled, `cannot run: ${compiled.errors[0]?.message ?? "it is no transformation"}`);
  environment.begin?.();
  const { validateIncoming, revertToDefaultValue } = readTransformationOptions(options);
  const values = readIncoming(plan, incoming, revertToDefaultValue);
  if (validateIncoming) {
    compiled.validator ??= createIncomingValidator(plan.incoming, environment);
    compiled.validator(values);
  }
  try {
    const run = createRunContext(environment);
    return { outgoing: collect(compiled, runPlan(plan, values, run), run) };
  } catch (error) {
    throw error instanceof RunLimitError ? failure(compiled, `was stopped: ${error.message}`) : error;
  }
}

/** What the run route answers: with `extractOutput` and a single outgoing its bare value, else all of them by `$id`. */
export function extractOutput({ outgoing }: TransformationResult, options: unknown): unknown {
  const values = Object.values(outgoing);
  return readTransformationOptions(options).extractOutput && values.length === 1 ? values[0] : outgoing;
}

function readIncoming(
  { incoming: slots }: FunctionPlan,
  incoming: Readonly<Record<string, unknown>>,
  useDefaults: boolean,
): unknown[] {
  return slots.map((slot) => {
    const value = readMember(incoming, slot.$id);
    return value === undefined && useDefaults ? slot["default"] : value;
  });
}

function collect(compiled: CompiledTransformation, frame: Frame, run: RunContext): Record<string, unknown> {
  const { outgoing } = frame.plan;
  const values = outgoing.map((_, index) => readOutgoing(frame, index));
  const failed = values.find((value) => value instanceof Poison);
  if (failed) throw failure(compiled, `failed in ${failed.message}`);
  const copies = copyOut(values, run.charge);
  return Object.fromEntries(outgoing.map(({ id }, index) => [id, copies[index]]));
}

function failure({ name }: CompiledTransformation, what: string): TaskError {
  return new TaskError(`Transformation "${name}" ${what}`);
}
