import { compileTransformation } from "../../../src/transformations/compile-transformation.ts";
import { runTransformation } from "../../../src/transformations/run-transformation.ts";
import type { TransformationEnvironment } from "../../../src/transformations/transformation-environment.ts";
import { queryPath } from "../../../src/workflow-engine/interpreter/query-path.ts";
import { compileRegularExpression } from "../../../src/workflow-engine/interpreter/regular-expression.ts";

/** Friday 2024-03-15 10:30:45.250 UTC. */
export const fixedNow = Date.UTC(2024, 2, 15, 10, 30, 45, 250);

export function environment(changes: Partial<TransformationEnvironment> = {}): TransformationEnvironment {
  return {
    now: () => fixedNow,
    random: () => 0.25,
    timeZoneOffset: 60,
    query: queryPath,
    compileRegularExpression,
    ...changes,
  };
}

/** One end of a wire: `in.name/ptr`, `3/ptr` (a value of step 3), `3:0` (argument 0 of step 3) or `out.name/ptr`. */
export function assign(from: string, to: string, context?: string): object {
  return { id: 0, type: "assign", from: end(from), to: end(to), ...(context && { context }) };
}

function end(text: string): object {
  const slot = /^(in|out)\.([^/]*)(.*)$/su.exec(text);
  if (slot) return { location: slot[1] === "in" ? "incoming" : "outgoing", name: slot[2], ptr: slot[3] };
  const argument = /^(\d+):(\d+)$/u.exec(text);
  if (argument) return { location: "method", name: Number(argument[1]), ptr: `/args/${argument[2]}/value` };
  const [, step, pointer] = /^(\d+)(.*)$/su.exec(text) ?? [];
  return { location: "method", name: Number(step), ptr: `/return${pointer}` };
}

/** A step that calls `Library.method`. */
export function method(id: number, name: string, args: readonly unknown[] = [], more: object = {}): object {
  const [library = "", ...rest] = name.split(".");
  return { id, type: "method", library, method: rest.join("."), args, ...more };
}

export interface BodyParts {
  incoming?: readonly (string | object)[];
  outgoing?: readonly (string | object)[];
  steps?: readonly object[];
  functions?: readonly object[];
}

function slots(names: readonly (string | object)[] = []): object[] {
  return names.map((one) => (typeof one === "string" ? { $id: one } : one));
}

/** A document with these parts. Wires are numbered on their own. */
export function transformation({ incoming, outgoing, steps = [], functions = [] }: BodyParts): Record<string, unknown> {
  const numbered = steps.map((step, index) => ("from" in step ? { ...step, id: 1_000_000 + index } : step));
  return { name: "Sample", incoming: slots(incoming), outgoing: slots(outgoing), steps: numbered, functions };
}

/** A function whose only outgoing is `result`, unless the parts say otherwise. */
export function userFunction(id: string, parts: BodyParts): object {
  return { ...transformation({ outgoing: ["result"], ...parts }), id, name: `${id} caption` };
}

/** Runs a document: its outgoing values. */
export function run(
  document: object,
  incoming: Record<string, unknown> = {},
  options: unknown = {},
  changes: Partial<TransformationEnvironment> = {},
): Record<string, unknown> {
  return runTransformation(compileTransformation(document), incoming, options, environment(changes)).outgoing;
}

/** A call of a method inside an expression; see `evaluate`. */
class Call {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly polymorphIndex: number | undefined;

  constructor(name: string, args: readonly unknown[], polymorphIndex: number | undefined) {
    this.name = name;
    this.args = args;
    this.polymorphIndex = polymorphIndex;
  }
}

/** An argument that is written in the document and not wired: null is "not given". */
class Static {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

export const unset = new Static(null);
export const fixed = (value: unknown): unknown => new Static(value);
export const call = (name: string, ...args: unknown[]): unknown => new Call(name, args, undefined);
export const callForm = (name: string, polymorphIndex: number, ...args: unknown[]): unknown =>
  new Call(name, args, polymorphIndex);

/** The value of nested calls: each becomes a step, and each plain argument comes through a wire from an incoming. */
export function evaluate(
  expression: unknown,
  functions: readonly object[] = [],
  changes: Partial<TransformationEnvironment> = {},
): unknown {
  const { document, incoming } = documentFor(expression, functions);
  return run(document, incoming, {}, changes)["result"];
}

/** The document that `evaluate` runs, and its incoming values. */
export function documentFor(expression: unknown, functions: readonly object[] = []) {
  const steps: object[] = [];
  const incoming: Record<string, unknown> = {};
  let lastId = 0;
  const place = (node: unknown): string => {
    if (!(node instanceof Call)) {
      const name = `value${Object.keys(incoming).length}`;
      incoming[name] = node;
      return `in.${name}`;
    }
    lastId += 1;
    const id = lastId;
    const [library, method] = node.name.split(".");
    const args = node.args.map((arg) => (arg instanceof Static ? arg.value : null));
    const type = method?.startsWith("new ") ? "declaration" : "method";
    steps.push({ id, type, library, method, args, polymorphIndex: node.polymorphIndex });
    for (const [index, arg] of node.args.entries()) {
      if (!(arg instanceof Static)) steps.push(assign(place(arg), `${id}:${index}`));
    }
    return `${id}`;
  };
  const source = place(expression);
  steps.push(assign(source, "out.result"));
  return {
    document: transformation({ incoming: Object.keys(incoming), outgoing: ["result"], steps, functions }),
    incoming,
  };
}
