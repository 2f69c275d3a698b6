import { isJsonObject } from "../core/json.ts";
import type { UnplannedBody } from "./compile-functions.ts";
import { readStep, type ProblemLists } from "./compile-reading.ts";
import type { FunctionPlan, LegacyConstant, TransformationProblemCode, Wire } from "./compiled-transformation.ts";
import { orderSteps } from "./compile-order.ts";
import { planOutgoing, type OutgoingWire } from "./compile-outgoing.ts";
import { planStep } from "./compile-step.ts";
import { createWiring, type Wiring } from "./compile-wires.ts";
import type { AssignStep, TransformationSlot, ValueStep } from "./transformation-schema.ts";

/** A step together with its place in the document. */
export interface PlacedStep<Step> {
  step: Step;
  path: string;
}

/** What planning the parts of a body needs to know. */
export interface BodyContext extends UnplannedBody {
  assigns: readonly PlacedStep<AssignStep>[];
  /** Steps that yield a value, in their order; wires name them by their place here. */
  values: readonly PlacedStep<ValueStep>[];
  report(code: TransformationProblemCode, path: string, message: string): void;
}

/** Fills the plan of a document or function. */
export function planBody(unplanned: UnplannedBody, problems: ProblemLists): void {
  const context = readSteps(unplanned, problems);
  const { body, plan, path } = context;
  reportDuplicates(body.incoming, `${path}/incoming`, (at, message) =>
    context.report("DUPLICATE_INCOMING", at, message),
  );
  reportDuplicates(body.outgoing, `${path}/outgoing`, (at, message) =>
    context.report("DUPLICATE_OUTGOING", at, message),
  );
  const wiring = createWiring(context);
  const { argumentWires, outgoingWires } = connect(context, wiring);
  const steps = context.values.map((placed, index) =>
    planStep(placed, argumentWires[index] ?? new Map(), { context, wiring }),
  );
  const outgoing = uniqueSlots(body.outgoing).map((slot) => ({
    id: slot.$id,
    node: planOutgoing(slot, outgoingWires.get(slot.$id) ?? []),
  }));
  const ordered = orderSteps(steps, outgoing, (index, message) =>
    context.report("CYCLE", context.values[index]?.path ?? path, message),
  );
  const legacy = legacyConstants(body.incoming);
  Object.assign(plan, {
    incoming: body.incoming,
    outgoing,
    ...ordered,
    ...(legacy && { legacy }),
  } satisfies Partial<FunctionPlan>);
}

function readSteps(unplanned: UnplannedBody, problems: ProblemLists): BodyContext {
  const assigns: PlacedStep<AssignStep>[] = [];
  const values: PlacedStep<ValueStep>[] = [];
  const report: BodyContext["report"] = (code, path, message) => problems.errors.push({ code, message, path });
  const ids = new Set<string>();
  for (const [index, step] of unplanned.body.steps.entries()) {
    const path = `${unplanned.path}/steps/${index}`;
    const read = readStep(step);
    if (!("step" in read)) {
      report("INVALID_STEP", `${path}${read.path}`, read.message);
      continue;
    }
    const isRepeated = read.step.id !== undefined && ids.has(String(read.step.id));
    if (isRepeated) report("DUPLICATE_STEP", path, `Another step has the id ${read.step.id}`);
    ids.add(String(read.step.id));
    if (read.step.type === "assign") assigns.push({ step: read.step, path });
    else if (!isRepeated) values.push({ step: read.step, path });
  }
  return { ...unplanned, assigns, values, report };
}

function reportDuplicates(
  slots: readonly TransformationSlot[],
  path: string,
  report: (path: string, message: string) => void,
): void {
  const ids = new Set<string>();
  for (const [index, { $id }] of slots.entries()) {
    if (ids.has($id)) report(`${path}/${index}/$id`, `Another one has the $id ${$id}`);
    ids.add($id);
  }
}

function uniqueSlots(slots: readonly TransformationSlot[]): TransformationSlot[] {
  const first = new Map(slots.toReversed().map((slot) => [slot.$id, slot]));
  return slots.filter((slot) => first.get(slot.$id) === slot);
}

/** Sorts the wires by what they lead to. */
function connect({ assigns, values, body, report }: BodyContext, wiring: Wiring) {
  const argumentWires = values.map(() => new Map<number, Wire[]>());
  const outgoingWires = new Map<string, OutgoingWire[]>(body.outgoing.map((slot) => [slot.$id, []]));
  for (const { step, path } of assigns) {
    const target = wiring.targetOf(step.to, `${path}/to`);
    if (target.kind === "nothing") continue;
    const wire = wiring.wireFrom(step, path);
    if (target.kind === "outgoing") {
      const wires = outgoingWires.get(target.id);
      if (wires) wires.push({ wire, tokens: target.tokens });
      else report("UNKNOWN_OUTGOING", `${path}/to/name`, `There is no outgoing ${target.id}`);
      continue;
    }
    const wires = argumentWires[target.step];
    const known = wires?.get(target.argument);
    if (known) known.push(wire);
    else wires?.set(target.argument, [wire]);
  }
  return { argumentWires, outgoingWires };
}

/** Constants of callbacks made before 4.3.6 (spec: tasks-and-transformations.md B §3.7): members `0_name`, `1_name`, or names in their order. */
function legacyConstants(
  incoming: readonly TransformationSlot[],
): { at: number; constants: LegacyConstant[] } | undefined {
  const at = incoming.findIndex((slot) => slot.$id === "thisArg" && slot["isContext"] === true);
  const slot = incoming[at];
  if (!slot) return undefined;
  const members = isJsonObject(slot["properties"]) ? Object.keys(slot["properties"]) : [];
  const constants = members.map((member, index) => ({ member, place: Number(/^(\d+)_/u.exec(member)?.[1] ?? index) }));
  return { at, constants };
}
