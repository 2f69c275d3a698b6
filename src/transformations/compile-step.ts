import type { BodyContext, PlacedStep } from "./compile-body.ts";
import { findFunction } from "./compile-functions.ts";
import type { Wiring } from "./compile-wires.ts";
import type { Argument, PlannedStep, StepAction, Wire } from "./compiled-transformation.ts";
import type { LibraryMethod } from "./libraries/library-method.ts";
import { findMethod } from "./libraries/method-catalog.ts";
import type {
  ContextStep,
  DeclarationStep,
  FunctionStep,
  MethodStep,
  TemplateStep,
  ValueStep,
} from "./transformation-schema.ts";

type ArgumentWires = ReadonlyMap<number, readonly Wire[]>;

/** Plans a step that yields a value, its wires being known. A step that cannot run is planned to fail. */
export function planStep(
  { step, path }: PlacedStep<ValueStep>,
  wires: ArgumentWires,
  { context, wiring }: { context: BodyContext; wiring: Wiring },
): PlannedStep {
  const { branches, problem } = wiring.branchesOf(step.context, path);
  const action = problem === undefined ? planAction({ step, path }, context) : broken(problem);
  const args = action.kind === "broken" ? [] : planArguments(step, wires, action);
  return { label: labelOf(step), branches, args, action };
}

function broken(problem: string): StepAction {
  return { kind: "broken", problem };
}

function labelOf(step: ValueStep): string {
  switch (step.type) {
    case "method":
    case "declaration":
      return `step ${step.id} (${step.library}.${step.method})`;
    case "function":
      return `step ${step.id} (function ${step.function})`;
    case "template":
      return `step ${step.id} (template)`;
    case "context":
      return `step ${step.id} (${step.method})`;
  }
}

function planAction({ step, path }: PlacedStep<ValueStep>, context: BodyContext): StepAction {
  switch (step.type) {
    case "method":
    case "declaration":
      return planMethod(step, path, context);
    case "template":
      return { kind: "template", parts: planTemplate(step) };
    case "function":
      return planCall(step, path, context);
    case "context":
      return planContext(step, path, context);
  }
}

function planMethod(step: MethodStep | DeclarationStep, path: string, context: BodyContext): StepAction {
  const polymorphIndex = step.type === "declaration" ? (step.polymorphIndex ?? undefined) : undefined;
  const method = findMethod(step.library, step.method, polymorphIndex);
  if (!method || method.type !== step.type) {
    const problem = `There is no ${step.type} ${step.library}.${step.method}`;
    context.report("UNKNOWN_METHOD", `${path}/method`, problem);
    return broken(problem);
  }
  const functionId = method.constantsFrom === undefined ? undefined : step.args[1];
  if (typeof functionId !== "string" || functionId === "") return { kind: "method", method };
  const callback = findFunction(functionId, context.scope);
  if (callback) return { kind: "method", method, callback };
  const problem = `There is no function ${functionId}`;
  context.report("UNKNOWN_FUNCTION", `${path}/args/1`, problem);
  return broken(problem);
}

function planCall(step: FunctionStep, path: string, context: BodyContext): StepAction {
  const plan = findFunction(step.function, context.scope);
  if (plan) return { kind: "function", plan };
  const problem = `There is no function ${step.function}`;
  context.report("UNKNOWN_FUNCTION", `${path}/function`, problem);
  return broken(problem);
}

function planContext(step: ContextStep, path: string, context: BodyContext): StepAction {
  if (step.method === "switch") return { kind: "switch", cases: Array.isArray(step.return) ? step.return : [] };
  if (step.method === "if...else") return { kind: "ifElse" };
  const problem = `There is no context ${step.method}`;
  context.report("UNKNOWN_METHOD", `${path}/method`, problem);
  return broken(problem);
}

/** Texts, and places of arguments: the k-th distinct name takes argument k (spec: tasks-and-transformations.md B §3.6). */
function planTemplate({ template }: TemplateStep): (string | number)[] {
  const places = new Map<string, number>();
  return template.split(/\$\{([^{}]*)\}/u).map((part, index) => {
    if (index % 2 === 0) return part;
    const name = part.trim();
    const place = places.get(name) ?? places.size;
    places.set(name, place);
    return place;
  });
}

function planArguments(step: ValueStep, wires: ArgumentWires, action: StepAction): Argument[] {
  const count = Math.max(countGiven(step, action), ...[...wires.keys()].map((index) => index + 1));
  return Array.from({ length: count }, (_, index) => ({
    constant: constantOf(step, index),
    wires: wires.get(index) ?? [],
  }));
}

/** A static null means not given, and so does the empty text of a function step. */
function constantOf(step: ValueStep, index: number): unknown {
  const value = step.args[index];
  return value === null || (step.type === "function" && value === "") ? undefined : value;
}

/** Arguments that are not given are left off at the end, except where they are the elements of a list. */
function countGiven(step: ValueStep, action: StepAction): number {
  if (action.kind === "method" && isListLiteral(action.method)) return step.args.length;
  return step.args.findLastIndex((_, index) => constantOf(step, index) !== undefined) + 1;
}

function isListLiteral({ library, method }: LibraryMethod): boolean {
  return library === "Array" && method === "new Array";
}
