import type { Argument, Branch, FunctionPlan, Wire } from "./compiled-transformation.ts";
import { readMember } from "./libraries/conversions.ts";
import { Poison } from "./poison.ts";
import type { RunContext } from "./run-context.ts";

/** One call of a document or function: its incoming values, and what its steps yielded so far. */
export interface Frame {
  plan: FunctionPlan;
  incoming: readonly unknown[];
  values: unknown[];
  run: RunContext;
}

/** In the place of a value: the step or wire belongs to a branch that is not taken. */
export const notTaken: unique symbol = Symbol("not taken");

/** What a function step yields: each outgoing may have failed on its own. */
export class FunctionResult {
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(values: ReadonlyMap<string, unknown>) {
    this.#values = values;
  }

  read([id, ...rest]: readonly string[]): unknown {
    if (id === undefined) return this.#all();
    const value = this.#values.get(id);
    return value instanceof Poison ? value : readPath(value, rest);
  }

  #all(): unknown {
    for (const value of this.#values.values()) if (value instanceof Poison) return value;
    return Object.fromEntries(this.#values);
  }
}

function readPath(value: unknown, tokens: readonly string[]): unknown {
  let current = value;
  for (const token of tokens) current = readMember(current, token);
  return current;
}

/** Whether every context on the way chose this branch; a failed value where a context failed. */
export function isTaken(branches: readonly Branch[], { values }: Frame): boolean | Poison {
  for (const { context, branch } of branches) {
    const chosen = values[context];
    if (chosen instanceof Poison) return chosen;
    if (chosen !== branch) return false;
  }
  return true;
}

/** What a wire brings: a value, a failed value, or that its branch is not taken. */
function readWire(wire: Wire, frame: Frame): unknown {
  if (wire.problem !== undefined) return new Poison(`a wire: ${wire.problem}`);
  if (wire.branches.length > 0) {
    const taken = isTaken(wire.branches, frame);
    if (taken instanceof Poison) return taken;
    if (!taken) return notTaken;
  }
  const value = wire.source === "incoming" ? frame.incoming[wire.index] : frame.values[wire.index];
  if (value === notTaken || value instanceof Poison) return value;
  return value instanceof FunctionResult ? value.read(wire.tokens) : readPath(value, wire.tokens);
}

/** The last wire whose branch is taken. */
export function readWires(wires: readonly Wire[], frame: Frame): unknown {
  let value: unknown = notTaken;
  for (const wire of wires) {
    const brought = readWire(wire, frame);
    if (brought !== notTaken) value = brought;
  }
  return value;
}

/** Values of the arguments of a step; some may have failed. */
export function readArguments(args: readonly Argument[], frame: Frame): unknown[] {
  return args.map(({ constant, wires }) => {
    const value = wires.length === 0 ? notTaken : readWires(wires, frame);
    return value === notTaken ? constant : value;
  });
}
