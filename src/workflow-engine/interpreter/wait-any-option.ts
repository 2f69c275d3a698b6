import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { WorkflowTask } from "../workflow-schema.ts";

const Reference = Type.String({ pattern: "^\\$var\\." });

/** What a task takes beside what it waits for itself: whichever comes first ends it. Values may be `$var` references. */
const WaitAny = Type.Object(
  {
    /** From the start of the task on. */
    afterSeconds: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 3_153_600_000 }), Reference])),
    /** How the task ends when the time is over. Default failure. */
    afterState: Type.Optional(Type.Union([Type.Literal("success"), Type.Literal("failure"), Type.Literal("error")])),
    event: Type.Optional(
      Type.Object(
        {
          source: Type.String({ minLength: 1 }),
          topic: Type.String({ minLength: 1 }),
          schema: Type.Optional(Type.Unknown()),
        },
        { additionalProperties: false },
      ),
    ),
    person: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
/** @see WaitAny */
export type WaitAnyOption = Static<typeof WaitAny>;

/** The field of a task, read; undefined when it has none. What is malformed counts as not given: validation refuses such a workflow. */
export function readWaitAny(task: WorkflowTask): WaitAnyOption | undefined {
  const value = fieldOf(task);
  return isGiven(value) && Value.Check(WaitAny, value) ? value : undefined;
}

/** What is wrong with the shape of the field: where below it, and what. */
export function waitAnyProblems(task: WorkflowTask): { path: string; message: string }[] {
  const value = fieldOf(task);
  if (!isGiven(value)) return [];
  return [...Value.Errors(WaitAny, value)].slice(0, 5).map(({ path, message }) => ({ path, message }));
}

function fieldOf(task: WorkflowTask): unknown {
  return (task as { waitAny?: unknown }).waitAny;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
