import { Type, type Static } from "@sinclair/typebox";

const TransitionState = Type.Union([
  Type.Literal("success"),
  Type.Literal("failure"),
  Type.Literal("error"),
  Type.Literal("loop"),
]);

/** An edge between two tasks: taken when the source finishes in `state`; `revert` resets what lies downstream of the target. */
export const Transition = Type.Object({
  state: TransitionState,
  type: Type.Union([Type.Literal("standard"), Type.Literal("revert")]),
});
export type Transition = Static<typeof Transition>;

/** When a task runs again by itself: spec `workflow-engine.md` §2. `delay` in milliseconds. */
export const RetrySettings = Type.Object({
  state: Type.Array(Type.String()),
  autoRetry: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Number()),
  delay: Type.Optional(Type.Number()),
  count: Type.Optional(Type.Number()),
});
export type RetrySettings = Static<typeof RetrySettings>;

/** One task of a workflow document. Members not listed here are kept as they came. */
export const WorkflowTask = Type.Object(
  {
    name: Type.String(),
    canvasName: Type.Optional(Type.String()),
    summary: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    location: Type.Optional(Type.String()),
    locationType: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    app: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    displayName: Type.Optional(Type.String()),
    actor: Type.Optional(Type.String()),
    groups: Type.Optional(Type.Array(Type.Unknown())),
    view: Type.Optional(Type.String()),
    retrySettings: Type.Optional(Type.Union([RetrySettings, Type.Null()])),
    // Own additions, of any form here: validation names what is wrong with one (interpreter/task-options.ts).
    join: Type.Optional(Type.Unknown({ description: "`all`, `any` or how many transitions have to be taken." })),
    cancelOthers: Type.Optional(
      Type.Unknown({ description: "True: what is unfinished upstream; or a list of task ids." }),
    ),
    lock: Type.Optional(Type.Unknown({ description: "A name, or an object with a `name` or a `device`." })),
    loop: Type.Optional(Type.Unknown({ description: "Limits of a loop of child jobs: `maxParallel`, `stopWhen`." })),
    compensation: Type.Optional(Type.Unknown({ description: "Id of the task that undoes this one." })),
    variables: Type.Optional(
      Type.Object({
        incoming: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        outgoing: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        error: Type.Optional(Type.Unknown()),
        decorators: Type.Optional(Type.Array(Type.Unknown())),
      }),
    ),
  },
  { additionalProperties: true },
);
export type WorkflowTask = Static<typeof WorkflowTask>;

/** Source task id → target task id → transition. */
export const Transitions = Type.Record(Type.String(), Type.Record(Type.String(), Transition));
export type Transitions = Static<typeof Transitions>;

/** A problem found in a workflow: where, and what. Shape of the field's validation entries. */
export const WorkflowProblem = Type.Object({ task: Type.String(), name: Type.String(), message: Type.String() });
export type WorkflowProblem = Static<typeof WorkflowProblem>;

/** A workflow document. Members not listed here are kept as they came (decision 3). */
export const WorkflowDocument = Type.Object(
  {
    _id: Type.Optional(Type.String()),
    name: Type.String({ minLength: 1 }),
    type: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    tasks: Type.Record(Type.String(), WorkflowTask),
    transitions: Transitions,
    inputSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    outputSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    groups: Type.Optional(Type.Array(Type.Unknown())),
    tags: Type.Optional(Type.Array(Type.Unknown())),
    errors: Type.Optional(Type.Array(WorkflowProblem)),
    warnings: Type.Optional(Type.Array(WorkflowProblem)),
  },
  { additionalProperties: true },
);
export type WorkflowDocument = Static<typeof WorkflowDocument>;

/** The two tasks every workflow has. They call nothing. */
export const startTaskId = "workflow_start";
export const endTaskId = "workflow_end";
