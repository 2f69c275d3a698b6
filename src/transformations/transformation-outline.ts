import { Type, type Static } from "@sinclair/typebox";

const Parts = (description: string) =>
  Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }), { description }));

/**
 * The outline a transformation must have to be kept at all. What is wrong inside is told by validation
 * and when it runs; unknown members stay (decision 3).
 */
export const TransformationOutline = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    incoming: Parts("JSON schemas of what goes in, each named by `$id`."),
    outgoing: Parts("JSON schemas of what comes out, each named by `$id`."),
    steps: Parts("Steps: methods, declarations, templates, functions, contexts, and the wires between them."),
    functions: Parts("Named transformations that steps call."),
  },
  { additionalProperties: true },
);
export type TransformationOutline = Static<typeof TransformationOutline>;

/** What a run is given (spec: tasks-and-transformations.md B §3.4). */
export const TransformationRun = Type.Object({
  incoming: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "Values by `$id`." })),
  options: Type.Optional(
    Type.Union([
      Type.Object({
        extractOutput: Type.Optional(Type.Boolean({ description: "With one outgoing value answer the value itself." })),
        validateIncoming: Type.Optional(Type.Boolean()),
        revertToDefaultValue: Type.Optional(Type.Boolean()),
      }),
      Type.Literal(""),
      Type.Null(),
    ]),
  ),
});
export type TransformationRun = Static<typeof TransformationRun>;
