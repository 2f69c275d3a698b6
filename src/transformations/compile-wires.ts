import { pointerTokens } from "../core/json-pointer.ts";
import type { BodyContext } from "./compile-body.ts";
import type { Branch, Wire } from "./compiled-transformation.ts";
import type { AssignStep, WireEnd } from "./transformation-schema.ts";

/** What a wire leads to. */
type WireTarget =
  | { kind: "argument"; step: number; argument: number }
  | { kind: "outgoing"; id: string; tokens: readonly string[] }
  /** A line of the canvas that carries no data, or a target that does not exist. */
  | { kind: "nothing" };

/** Branches of a step or wire, or why they cannot be found. */
interface BranchPath {
  branches: readonly Branch[];
  problem?: string;
}

/** Finds both ends of wires, and branches, by name. */
export interface Wiring {
  targetOf(end: WireEnd, path: string): WireTarget;
  wireFrom(assign: AssignStep, path: string): Wire;
  branchesOf(contextPath: string | undefined, path: string): BranchPath;
}

// Beyond these a document is a slip of a pen or an attack.
const mostArguments = 1000;
const deepestPointer = 100;

/** The wiring of one body. */
export function createWiring(context: BodyContext): Wiring {
  const stepPlaces = new Map(context.values.map(({ step }, index) => [String(step.id), index]));
  const slotPlaces = new Map(context.body.incoming.map((slot, index) => [slot.$id, index] as const).toReversed());
  const wiring: Wiring = {
    targetOf: (end, path) => findTarget(end, path, { context, stepPlaces }),
    branchesOf: (contextPath, path) => findBranches(contextPath, path, { context, stepPlaces }),
    wireFrom(assign, path) {
      const source = findSource(assign.from, `${path}/from`, { context, stepPlaces, slotPlaces });
      const { branches, problem } = wiring.branchesOf(assign.context, path);
      return { ...source, branches, ...(problem !== undefined && { problem }) };
    },
  };
  return wiring;
}

interface Places {
  context: BodyContext;
  stepPlaces: ReadonlyMap<string, number>;
}

function findTarget({ location, name, ptr }: WireEnd, path: string, { context, stepPlaces }: Places): WireTarget {
  const tokens = pointerTokens(ptr);
  if (location === "outgoing" && tokens.length <= deepestPointer) return { kind: "outgoing", id: String(name), tokens };
  if (ptr === "/context") return { kind: "nothing" };
  if (location === "outgoing") {
    context.report("INVALID_POINTER", `${path}/ptr`, `The pointer is deeper than ${deepestPointer}`);
    return { kind: "nothing" };
  }
  const step = stepPlaces.get(String(name));
  if (step === undefined) {
    context.report("UNKNOWN_STEP", `${path}/name`, `There is no step ${name}`);
    return { kind: "nothing" };
  }
  const place = /^\/args\/(\d{1,4})(?:\/value)?$/u.exec(ptr);
  if (!place || Number(place[1]) >= mostArguments) {
    context.report("INVALID_POINTER", `${path}/ptr`, `"${ptr}" is no argument of a step`);
    return { kind: "nothing" };
  }
  return { kind: "argument", step, argument: Number(place[1]) };
}

type Source = Pick<Wire, "source" | "index" | "tokens" | "problem">;

function findSource(
  { location, name, ptr }: WireEnd,
  path: string,
  { context, stepPlaces, slotPlaces }: Places & { slotPlaces: ReadonlyMap<string, number> },
): Source {
  const tokens = pointerTokens(ptr);
  if (location === "incoming") {
    const index = slotPlaces.get(String(name));
    if (index !== undefined) return { source: "incoming", index, tokens };
    return broken("UNKNOWN_INCOMING", "name", `There is no incoming ${name}`);
  }
  const index = stepPlaces.get(String(name));
  if (index === undefined) return broken("UNKNOWN_STEP", "name", `There is no step ${name}`);
  if (tokens[0] !== "return") return broken("INVALID_POINTER", "ptr", `"${ptr}" does not begin with /return`);
  return { source: "step", index, tokens: tokens.slice(1) };

  function broken(
    code: "UNKNOWN_INCOMING" | "UNKNOWN_STEP" | "INVALID_POINTER",
    member: string,
    problem: string,
  ): Source {
    context.report(code, `${path}/${member}`, problem);
    return { source: "incoming", index: -1, tokens, problem };
  }
}

/** Reads `#/1[1]/14[0]`: a step of branch 0 of context 14, itself in branch 1 of context 1. */
function findBranches(contextPath: string | undefined, path: string, { context, stepPlaces }: Places): BranchPath {
  if (contextPath === undefined || contextPath === "" || contextPath === "#") return { branches: [] };
  const branches: Branch[] = [];
  for (const part of contextPath.replace(/^#\//u, "").split("/")) {
    const [, id = "", branch] = /^(.+)\[(\d+)\]$/u.exec(part) ?? [];
    const index = stepPlaces.get(id);
    if (index === undefined || context.values[index]?.step.type !== "context") {
      const problem = `"${contextPath}" is no branch of a context`;
      context.report("UNKNOWN_CONTEXT", `${path}/context`, problem);
      return { branches: [], problem };
    }
    branches.push({ context: index, branch: Number(branch) });
  }
  return { branches };
}
