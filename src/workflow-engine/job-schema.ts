import { Type } from "@sinclair/typebox";

/** Status of a job (workflow-engine.md §7.1). */
const JobStatusSchema = Type.Union(
  ["running", "paused", "error", "complete", "canceled"].map((status) => Type.Literal(status)),
);

/** Takes the place of a task's work (decision 18). `delay` in seconds. */
const MockSchema = Type.Object(
  {
    finish_state: Type.Optional(Type.Union([Type.Literal("success"), Type.Literal("failure"), Type.Literal("error")])),
    outgoing: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    error: Type.Optional(Type.Unknown()),
    delay: Type.Optional(Type.Number({ minimum: 0 })),
  },
  { additionalProperties: false },
);

/** Options of a start (workflow-engine.md §8.2). `type` is accepted because clients send it; it is always `automation`. */
export const StartOptionsSchema = Type.Object(
  {
    description: Type.Optional(Type.String()),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "Job variables by name." })),
    groups: Type.Optional(Type.Array(Type.String(), { description: "Groups that may see the job; none: everybody." })),
    type: Type.Optional(Type.String()),
    mocks: Type.Optional(Type.Record(Type.String(), MockSchema, { description: "Mocks by task id." })),
  },
  { additionalProperties: false },
);

/** A job document (workflow-engine.md §6.1). */
export const JobDocument = Type.Object(
  {
    _id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    type: Type.String(),
    status: JobStatusSchema,
    tasks: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    transitions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    metrics: Type.Object({}, { additionalProperties: true, description: "Times in milliseconds; progress 0 to 1." }),
    error: Type.Optional(
      Type.Array(Type.Object({ task: Type.String(), message: Type.Unknown(), timestamp: Type.Number() })),
    ),
  },
  { additionalProperties: true },
);

/** A task document: one iteration of a task (workflow-engine.md §6.3). */
export const TaskDocument = Type.Object(
  { _id: Type.String(), taskId: Type.String(), status: Type.String() },
  { additionalProperties: true },
);

/** What a person decided on a manual task. */
export const TaskDataSchema = Type.Object(
  {
    finish_state: Type.Optional(Type.Union([Type.Literal("success"), Type.Literal("failure"), Type.Literal("error")])),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);

/** How long an answer may wait for the job to come to rest: ended, in error or paused. */
export const WaitQuery = Type.Object({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 300_000,
      description: "Answer when the job is no longer running, at the latest after this many milliseconds.",
    }),
  ),
});
