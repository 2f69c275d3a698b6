import { HeavyWorkError } from "../core/heavy-work.ts";
import type { FunctionPlan, PlannedStep, StepAction } from "./compiled-transformation.ts";
import { toText } from "./libraries/conversions.ts";
import type { Callback } from "./libraries/library-method.ts";
import { Poison, PoisonError } from "./poison.ts";
import type { RunContext } from "./run-context.ts";
import { RunLimitError } from "./run-limits.ts";
import { buildOutgoing } from "./run-outgoing.ts";
import { FunctionResult, isTaken, notTaken, readArguments, type Frame } from "./run-wires.ts";

/** Evaluates the steps that some outgoing needs. A step that fails yields a failed value and stops nothing. */
export function runPlan(plan: FunctionPlan, incoming: readonly unknown[], run: RunContext): Frame {
  const frame: Frame = { plan, incoming, values: [], run };
  frame.values.length = plan.steps.length;
  run.budget.enterFunction();
  for (const index of plan.order) {
    const step = plan.steps[index];
    if (step) frame.values[index] = evaluateStep(step, frame);
  }
  run.budget.leaveFunction();
  return frame;
}

/** The value of one outgoing: undefined where nothing is assigned, or a failed value. */
export function readOutgoing(frame: Frame, index: number): unknown {
  const outgoing = frame.plan.outgoing[index];
  const value = outgoing ? buildOutgoing(outgoing.node, frame) : undefined;
  return value === notTaken ? undefined : value;
}

function evaluateStep(step: PlannedStep, frame: Frame): unknown {
  if (step.branches.length > 0) {
    const taken = isTaken(step.branches, frame);
    if (taken !== true) return taken === false ? notTaken : taken;
  }
  frame.run.budget.countStep();
  try {
    return performStep(step, frame);
  } catch (error) {
    if (error instanceof RunLimitError || error instanceof HeavyWorkError) throw error;
    return error instanceof PoisonError ? error.poison : new Poison(describe(step, frame.plan, error));
  }
}

function describe({ label }: PlannedStep, { name }: FunctionPlan, error: unknown): string {
  const reason = error instanceof Error ? error.message.slice(0, 300) : "it failed";
  return `${name === "" ? "" : `function ${name}, `}${label}: ${reason}`;
}

function performStep({ action, args }: PlannedStep, frame: Frame): unknown {
  if (action.kind === "broken") throw new Error(action.problem);
  const values = readArguments(args, frame);
  switch (action.kind) {
    case "method":
      return callMethod(action, values, frame.run);
    case "template":
      return fillTemplate(action.parts, values, frame.run);
    case "function":
      return callFunction(action.plan, values, frame.run);
    case "switch":
      return firstPoison(values, 1) ?? action.cases.indexOf(values[0]) + 1;
    case "ifElse":
      return firstPoison(values, 1) ?? (values[0] ? 0 : 1);
  }
}

function firstPoison(values: readonly unknown[], count: number): Poison | undefined {
  for (let index = 0; index < count; index += 1) {
    const value = values[index];
    if (value instanceof Poison) return value;
  }
  return undefined;
}

/** Constants of a callback may have failed: the function decides whether it uses them. */
function callMethod(
  { method, callback }: Extract<StepAction, { kind: "method" }>,
  values: unknown[],
  run: RunContext,
): unknown {
  const { constantsFrom = values.length } = method;
  if (callback) values[1] = bindCallback(callback, values.slice(constantsFrom), run);
  const used = Math.min(values.length, constantsFrom);
  const failed = method.isLazy ? undefined : firstPoison(values, used);
  if (failed) return failed;
  const result = method.run(used < values.length ? values.slice(0, used) : values, run);
  chargeFor(result, run);
  return result;
}

function chargeFor(result: unknown, run: RunContext): void {
  if (typeof result === "string") run.charge(result.length / 16);
  else if (Array.isArray(result)) run.charge(result.length);
  else if (result instanceof Set) run.charge(result.size * 4);
}

function fillTemplate(parts: readonly (string | number)[], values: readonly unknown[], run: RunContext): unknown {
  const failed = firstPoison(values, values.length);
  if (failed) return failed;
  let text = "";
  for (const part of parts) text += typeof part === "string" ? part : toText(values[part]);
  chargeFor(text, run);
  return text;
}

function callFunction(plan: FunctionPlan, values: readonly unknown[], run: RunContext): FunctionResult {
  const frame = runPlan(plan, values, run);
  return new FunctionResult(new Map(plan.outgoing.map(({ id }, index) => [id, readOutgoing(frame, index)])));
}

/**
 * A callback takes its values by position, then the constants; its result is its first outgoing (spec:
 * tasks-and-transformations.md B §3.7).
 */
function bindCallback(plan: FunctionPlan, constants: readonly unknown[], run: RunContext): Callback {
  const { legacy } = plan;
  const thisArg = legacy && (firstPoison(constants, constants.length) ?? legacyObject(legacy.constants, constants));
  return (values) => {
    const incoming = constants.length === 0 ? [...values] : [...values, ...constants];
    if (legacy) incoming[legacy.at] = thisArg;
    const result = readOutgoing(runPlan(plan, incoming, run), 0);
    if (result instanceof Poison) throw new PoisonError(result);
    return result;
  };
}

function legacyObject(members: readonly { member: string; place: number }[], constants: readonly unknown[]): object {
  return Object.fromEntries(members.map(({ member, place }) => [member, constants[place]]));
}
