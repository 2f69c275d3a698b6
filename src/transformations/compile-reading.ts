import { Value } from "@sinclair/typebox/value";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { TransformationProblem } from "./compiled-transformation.ts";
import { stepSchemas, type TransformationSlot, type TransformationStep } from "./transformation-schema.ts";

/** The part that documents and functions have in common. Steps and functions are read one by one later. */
export interface TransformationBody {
  incoming: readonly TransformationSlot[];
  outgoing: readonly TransformationSlot[];
  steps: readonly unknown[];
  functions: unknown;
}

/** Where problems are gathered. */
export interface ProblemLists {
  errors: TransformationProblem[];
  warnings: TransformationProblem[];
}

/** The lists of a document or function, those that are absent taken as empty; undefined where they are no lists. */
export function readBody(value: unknown, path: string, { errors }: ProblemLists): TransformationBody | undefined {
  const report = (at: string, message: string) => errors.push({ code: "INVALID_DOCUMENT", message, path: at });
  if (!isJsonObject(value)) {
    report(path, "must be an object");
    return undefined;
  }
  const before = errors.length;
  for (const member of ["incoming", "outgoing", "steps"]) {
    if (!Array.isArray(value[member] ?? [])) report(`${path}/${member}`, `${member} must be a list`);
  }
  if (errors.length > before) return undefined;
  return {
    incoming: readSlots(value, "incoming", (index, message) => report(`${path}/incoming/${index}`, message)),
    outgoing: readSlots(value, "outgoing", (index, message) => report(`${path}/outgoing/${index}`, message)),
    steps: listOrEmpty(value["steps"]),
    functions: value["functions"],
  };
}

function listOrEmpty(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A slot without a name keeps its place, because functions take their arguments by position. */
function readSlots(
  body: JsonObject,
  member: "incoming" | "outgoing",
  report: (index: number, message: string) => void,
): TransformationSlot[] {
  return listOrEmpty(body[member]).map((slot, index) => {
    if (isJsonObject(slot) && typeof slot["$id"] === "string") return slot as TransformationSlot;
    report(index, "must be a JSON schema with its name in $id");
    return { $id: "" };
  });
}

/** The step, or what is wrong with its form and where in it. */
export function readStep(step: unknown): { step: TransformationStep } | { path: string; message: string } {
  if (!isJsonObject(step)) return { path: "", message: "A step must be an object" };
  const type = step["type"];
  if (typeof type !== "string" || !Object.hasOwn(stepSchemas, type)) {
    return { path: "/type", message: "Unknown type of step" };
  }
  const schema = stepSchemas[type as TransformationStep["type"]];
  if (Value.Check(schema, step)) return { step };
  return Value.Errors(schema, step).First() ?? { path: "", message: "The step is malformed" };
}
