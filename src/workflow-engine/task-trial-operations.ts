import { Type } from "@sinclair/typebox";
import { badRequest, type PlatformError } from "../core/errors.ts";
import { nearNames } from "../core/near-names.ts";
import { operationOf } from "../core/operation.ts";
import { writeRoles } from "../core/roles.ts";
import type { Task } from "../core/task.ts";
import { taskLibrary } from "../task-library/index.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";
import type { TaskModels } from "./workflows/task-models.ts";

const operation = operationOf<WorkflowEngineServices>();

const Values = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const Wait = Type.Union(
  [
    Type.Object({ for: Type.Literal("timer"), seconds: Type.Number() }),
    Type.Object({
      for: Type.Literal("event"),
      source: Type.String(),
      topic: Type.String(),
      schema: Type.Optional(Values("JSON schema that the payload has to match.")),
    }),
    Type.Object({ for: Type.Literal("loop"), elements: Type.Integer() }),
    Type.Object({
      for: Type.Literal("childJobs"),
      workflow: Type.String(),
      count: Type.Integer(),
      variables: Type.Array(Values("Job variables of one of them."), {
        description: "What the first of them would start with, at most 20.",
      }),
    }),
  ],
  { description: "What a job would wait for here. Absent where it would go on at once." },
);

const Trial = Type.Object({
  finish_state: Type.Union(
    [...["success", "failure", "error", "loop"].map((state) => Type.Literal(state)), Type.Null()],
    { description: "Null where what the task waits for decides. After a timer: as the task ends then." },
  ),
  outgoing: Values("Outgoing variables."),
  error: Type.Optional(Type.Unknown({ description: "Why the task ends in error." })),
  variables: Type.Optional(Values("Job variables that the task writes, with their values after it.")),
  waitsFor: Type.Optional(Wait),
  incoming: Values("The arguments with every reference replaced."),
  duration_ms: Type.Number({ description: "Milliseconds that the trial took." }),
});

/** Trying tasks: our own addition, beside the older family's helps to write workflows. */
export const taskTrialOperations = [
  operation({
    name: "tryTask",
    method: "POST",
    path: "/workflow_engine/tasks/try",
    summary: "Try a task of the engine: what it gives for these arguments.",
    description:
      "The task goes the way it goes in a job, but no job is made and nothing is written. A task that waits tells for what. `restCall` makes its request.",
    roles: writeRoles,
    body: Type.Object(
      {
        task: Type.String({ minLength: 1, description: "Name of a task of WorkFlowEngine that no person works." }),
        incoming: Type.Optional(
          Values("Arguments as a workflow holds them: values, or references such as `$var.job.name`."),
        ),
        variables: Type.Optional(Values("Job variables that references read, and that the task changes.")),
      },
      { additionalProperties: false },
    ),
    response: Trial,
    handle: ({ trials, taskModels }, { body, caller }) => {
      const { incoming = {}, variables = {} } = body;
      return trials.run({ task: requireTriable(taskModels, body.task), incoming, variables }, caller);
    },
  }),
];

/** The task of this name. PlatformError BAD_REQUEST where there is none that can be tried, and says what there is. */
function requireTriable(models: TaskModels, name: string): Task {
  const task = taskLibrary.find((known) => known.name === name);
  if (task && task.type !== "manual") return task;
  if (task) throw refusal(`${name} is worked by a person: start a job to try it`);
  const elsewhere = models.tasks.find((known) => known.name === name);
  if (elsewhere) {
    throw refusal(
      `${name} is a task of ${elsewhere.app}: only tasks of WorkFlowEngine can be tried; call the operation itself`,
    );
  }
  const triable = taskLibrary.filter(({ type }) => type !== "manual").map((known) => known.name);
  const near = nearNames(name, triable);
  const hint = near.length === 0 ? "GET /workflow_builder/tasks/list shows all" : `did you mean ${near.join(" or ")}?`;
  throw refusal(`There is no task ${name}: ${hint}`);
}

function refusal(message: string): PlatformError {
  return badRequest(message, [{ path: "/body/task", message }]);
}
