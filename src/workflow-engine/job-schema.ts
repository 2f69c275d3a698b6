import { Type } from "@sinclair/typebox";
import type { ManualFinishState } from "../core/manual-view.ts";

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

/** How a job is canceled. */
export const CancelOptions = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: "Leave out the compensations that have not run yet, and cancel at once." }),
  ),
});

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
    compensating: Type.Optional(
      Type.Boolean({ description: "True while what the job did is undone, before it is canceled or reverted." }),
    ),
    metrics: Type.Object({}, { additionalProperties: true, description: "Times in milliseconds; progress 0 to 1." }),
    error: Type.Optional(
      Type.Array(Type.Object({ task: Type.String(), message: Type.Unknown(), timestamp: Type.Number() })),
    ),
  },
  { additionalProperties: true },
);

/** Task ids. */
const TaskIds = (description: string) => Type.Array(Type.String(), { description });

/** What an operation would do (`dryRun=true`). */
const JobPreviewSchema = Type.Object({
  dryRun: Type.Literal(true),
  job: Type.Object({ _id: Type.String(), status: JobStatusSchema }, { description: "Right after the operation." }),
  tasks: Type.Object({
    reset: TaskIds("Lose what they have."),
    run: TaskIds("Start as soon as the job is running."),
    stay: TaskIds("Keep what they have or do."),
    canceled: TaskIds("Are stopped, or will not be started any more."),
  }),
  childJobs: Type.Object({ canceled: Type.Array(Type.String()) }),
});

/** The job as it is now, or what would become of it. */
export const JobDocumentOrPreview = Type.Union([JobDocument, JobPreviewSchema]);

/** Asks what an operation would do. */
export const PreviewQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({
      description: "true: nothing is changed; the answer is what would be, or the error there would be.",
    }),
  ),
});

/** A task of a job as people name it. */
export const TaskName = Type.String({
  minLength: 1,
  description: "Id of the task or of its latest iteration, or its name or summary where no other task has it.",
});

/** Incoming values of a task that is run again. */
export const RetryVariables = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: "Incoming values by name, as they are." }),
);

/** A task document: one iteration of a task (workflow-engine.md §6.3). */
export const TaskDocument = Type.Object(
  { _id: Type.String(), taskId: Type.String(), status: Type.String() },
  { additionalProperties: true },
);

/** What a person decided on a manual task. */
export const TaskDataSchema = Type.Object(
  {
    finish_state: Type.Optional(
      Type.Union(
        ["success", "failure", "error", "retry"].map((state) => Type.Literal(state as ManualFinishState)),
        { description: "Default: success. `retry` is for ErrorHandling alone." },
      ),
    ),
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

/** Names one group. */
export const GroupBody = Type.Object(
  { group: Type.String({ minLength: 1, description: "Identifier of the group." }) },
  { additionalProperties: false },
);

/** Names groups. */
export const GroupsBody = Type.Object(
  { groups: Type.Array(Type.String({ minLength: 1 }), { maxItems: 1000, description: "Identifiers of groups." }) },
  { additionalProperties: false },
);
