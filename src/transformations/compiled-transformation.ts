import type { LibraryMethod } from "./libraries/library-method.ts";
import type { TransformationSlot } from "./transformation-schema.ts";
import type { IncomingValidator } from "./incoming-validator.ts";

/** What is wrong with a document, and where: `path` is a JSON pointer into it. */
export interface TransformationProblem {
  code: TransformationProblemCode;
  message: string;
  path: string;
}

export type TransformationProblemCode =
  | "INVALID_DOCUMENT"
  | "INVALID_STEP"
  | "DUPLICATE_INCOMING"
  | "DUPLICATE_OUTGOING"
  | "DUPLICATE_STEP"
  | "DUPLICATE_FUNCTION"
  | "MISSING_FUNCTION_NAME"
  | "UNKNOWN_FUNCTION"
  | "UNKNOWN_METHOD"
  | "UNKNOWN_INCOMING"
  | "UNKNOWN_OUTGOING"
  | "UNKNOWN_STEP"
  | "UNKNOWN_CONTEXT"
  | "INVALID_POINTER"
  | "CYCLE"
  | "FUNCTIONS_TOO_DEEP"
  | "NO_FUNCTIONS_LIST";

/** A branch of a context step: taken when the step at `context` chose `branch`. */
export interface Branch {
  context: number;
  branch: number;
}

/** Where a value comes from. `tokens` lead from the value of the slot or step to the part that is meant. */
export interface Wire {
  source: "incoming" | "step";
  /** Place of the slot or step in its list. */
  index: number;
  tokens: readonly string[];
  branches: readonly Branch[];
  /** Why the wire carries nothing. */
  problem?: string;
}

/** An argument of a step: what the wires bring, of several the last whose branch is taken, else the static value. */
export interface Argument {
  constant: unknown;
  wires: readonly Wire[];
}

/** What a step does. */
export type StepAction =
  | { kind: "method"; method: LibraryMethod; callback?: FunctionPlan }
  | { kind: "template"; parts: readonly (string | number)[] }
  | { kind: "function"; plan: FunctionPlan }
  | { kind: "switch"; cases: readonly unknown[] }
  | { kind: "ifElse" }
  | { kind: "broken"; problem: string };

export interface PlannedStep {
  /** For messages: id and method. */
  label: string;
  branches: readonly Branch[];
  args: readonly Argument[];
  action: StepAction;
}

/** How an outgoing value is put together: a whole value, and members that override it, in the order of the schema. */
export interface OutgoingNode {
  wires: readonly Wire[];
  container: "list" | "object";
  children: readonly { key: string; node: OutgoingNode }[];
}

/** A constant that a legacy callback finds in its incoming `thisArg`: member and place among the constants. */
export interface LegacyConstant {
  member: string;
  place: number;
}

/** A document or function, ready to run. */
export interface FunctionPlan {
  /** Caption of the function; empty for the document. */
  name: string;
  incoming: readonly TransformationSlot[];
  /** Place of the incoming `thisArg` and what it holds. */
  legacy?: { at: number; constants: readonly LegacyConstant[] };
  outgoing: readonly { id: string; node: OutgoingNode }[];
  steps: readonly PlannedStep[];
  /** Places of the steps that some outgoing needs, each after those it needs itself. */
  order: readonly number[];
}

/** A transformation document that was read once and can be run many times. */
export interface CompiledTransformation {
  name: string;
  /** Absent where the document is not one. */
  plan?: FunctionPlan;
  /** What cannot run. A run fails only when it needs one of these places. */
  errors: readonly TransformationProblem[];
  /** What is odd, but runs. */
  warnings: readonly TransformationProblem[];
  /** Compiled at the first run that validates, with the environment of that run. */
  validator?: IncomingValidator;
}
