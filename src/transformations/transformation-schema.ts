import { Type, type Static } from "@sinclair/typebox";

const kept = { additionalProperties: true } as const;
const name = Type.Union([Type.String(), Type.Number()], { description: "`$id` of a slot, or id of a step." });
const shared = {
  id: Type.Union([Type.Integer(), Type.String()], { description: "Unique within its own list of steps." }),
  context: Type.Optional(
    Type.String({ description: "Branch the step belongs to, e.g. `#/24[2]`; `#` or absent: always." }),
  ),
};
const args = Type.Array(Type.Unknown(), { description: "Static arguments; null means not given." });

/** One end of a wire: a slot of the document or a step, and a JSON pointer into it. */
export const WireEnd = Type.Object({ location: Type.String(), name, ptr: Type.String() }, kept);
export type WireEnd = Static<typeof WireEnd>;

/** A wire: copies a value to an argument of a step or to an outgoing. */
export const AssignStep = Type.Object(
  { ...shared, id: Type.Optional(shared.id), type: Type.Literal("assign"), from: WireEnd, to: WireEnd },
  kept,
);
export type AssignStep = Static<typeof AssignStep>;

/** Calls a method of a library. */
export const MethodStep = Type.Object(
  { ...shared, type: Type.Literal("method"), library: Type.String(), method: Type.String(), args },
  kept,
);
export type MethodStep = Static<typeof MethodStep>;

/** Makes a value: `new Array`, `new Date`, … `polymorphIndex` selects between forms of the arguments. */
export const DeclarationStep = Type.Object(
  {
    ...shared,
    type: Type.Literal("declaration"),
    library: Type.String(),
    method: Type.String(),
    args,
    polymorphIndex: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  },
  kept,
);
export type DeclarationStep = Static<typeof DeclarationStep>;

/** Fills the arguments into a text with `${name}` placeholders. */
export const TemplateStep = Type.Object(
  { ...shared, type: Type.Literal("template"), template: Type.String(), args },
  kept,
);
export type TemplateStep = Static<typeof TemplateStep>;

/** Calls a function of the document by its id. */
export const FunctionStep = Type.Object(
  { ...shared, type: Type.Literal("function"), function: Type.String(), args },
  kept,
);
export type FunctionStep = Static<typeof FunctionStep>;

/** Chooses a branch: `switch` (cases in `return`) or `if...else`. */
export const ContextStep = Type.Object(
  {
    ...shared,
    type: Type.Literal("context"),
    library: Type.Optional(Type.String()),
    method: Type.String(),
    args,
    return: Type.Optional(Type.Unknown()),
  },
  kept,
);
export type ContextStep = Static<typeof ContextStep>;

export const TransformationStep = Type.Union([
  AssignStep,
  MethodStep,
  DeclarationStep,
  TemplateStep,
  FunctionStep,
  ContextStep,
]);
export type TransformationStep = Static<typeof TransformationStep>;
/** A step that yields a value, that is: any but an assign. */
export type ValueStep = Exclude<TransformationStep, AssignStep>;

/** JSON schema of one incoming or outgoing value; `$id` is its name. */
export const TransformationSlot = Type.Object({ $id: Type.String() }, kept);
export type TransformationSlot = Static<typeof TransformationSlot> & Readonly<Record<string, unknown>>;

const body = {
  incoming: Type.Optional(Type.Array(TransformationSlot)),
  outgoing: Type.Optional(Type.Array(TransformationSlot)),
  steps: Type.Optional(Type.Array(TransformationStep)),
  functions: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: "Named sub-transformations, themselves with functions.",
    }),
  ),
};

/** A named sub-transformation: called by function steps and as callback of Array methods. Found by `id`. */
export const TransformationFunction = Type.Object(
  { ...body, id: Type.String(), name: Type.Optional(Type.String()) },
  kept,
);
export type TransformationFunction = Static<typeof TransformationFunction>;

/**
 * A transformation document (JST), spec: tasks-and-transformations.md B §1. Members not listed here are
 * kept as they came.
 */
export const TransformationDocument = Type.Object(
  {
    _id: Type.Optional(Type.String()),
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    ...body,
    comments: Type.Optional(Type.Array(Type.Unknown())),
    view: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    version: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.Unknown())),
  },
  kept,
);
export type TransformationDocument = Static<typeof TransformationDocument>;

/** Schema of each type of step. */
export const stepSchemas = {
  assign: AssignStep,
  method: MethodStep,
  declaration: DeclarationStep,
  template: TemplateStep,
  function: FunctionStep,
  context: ContextStep,
} as const;
