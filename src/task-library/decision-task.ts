import { Type } from "@sinclair/typebox";
import { isJsonObject } from "../core/json.ts";
import type { Task } from "../core/task.ts";
import { evaluateGroups, type Evaluation } from "../workflow-engine/interpreter/evaluation.ts";
import { patternAllowance } from "../workflow-engine/interpreter/regular-expression.ts";
import type { ArgumentKind } from "./arguments.ts";
import { defineConcludingTask, gives, refuses } from "./define-task.ts";

interface Decision {
  next_task: string;
  all_true_flag?: boolean;
  evaluations?: readonly Evaluation[];
}

const anyMembers = { additionalProperties: true };

const decisionArray: ArgumentKind<readonly Decision[]> = {
  expected: "an array of decisions {next_task, all_true_flag, evaluations: [{operand_1, operator, operand_2}]}",
  schema: Type.Array(
    Type.Object(
      {
        next_task: Type.String({ minLength: 1, description: "Id of the task that a success transition leads to." }),
        all_true_flag: Type.Optional(
          Type.Boolean({ description: "False: one evaluation that holds is enough. Otherwise all have to." }),
        ),
        evaluations: Type.Optional(Type.Array(Type.Object({ operator: Type.String() }, anyMembers))),
      },
      anyMembers,
    ),
  ),
  accepts: (value) => Array.isArray(value) && value.every(isDecision),
};

function isDecision(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value["next_task"] !== "string" || value["next_task"] === "") return false;
  const { evaluations = [] } = value;
  return Array.isArray(evaluations) && evaluations.every(isJsonObject);
}

const when = (next_task: string, operand_1: unknown, operator: string, operand_2: unknown) => ({
  next_task,
  evaluations: [{ operand_1, operator, operand_2 }],
});

/** The task that chooses among its success transitions (tasks-and-transformations.md §8). */
export const decisionTask: Task = defineConcludingTask({
  name: "decision",
  palette: "WorkFlowEngine",
  type: "operation",
  summary: "Chooses the next task: that of the first decision whose conditions all hold.",
  description:
    "Of the success transitions only the one to the chosen task is taken. A decision without evaluations always holds and is the default at the end of the list; where none holds the task ends in failure. Operands, operators and queries are those of evaluation.",
  incoming: { decisionArray },
  outgoing: ["return_value", Type.Union([Type.String(), Type.Null()])],
  conclude({ decisionArray: decisions }, context) {
    const allowance = patternAllowance(context);
    const chosen = decisions.find(({ all_true_flag, evaluations = [] }) => {
      const group = { all_true_flag: all_true_flag !== false, evaluations };
      return evaluations.length === 0 || evaluateGroups({ groups: [group], isAllTrue: true, allowance });
    });
    return { finishState: chosen ? "success" : "failure", value: chosen?.next_task ?? null };
  },
  examples: [
    gives(
      [[when("a1", "red", "==", "green"), when("a2", "red", "==", "red"), when("a3", "red", "contains", "r")]],
      "a2",
    ),
    gives([[when("a1", 5, ">", 9), { next_task: "a4" }]], "a4"),
    { arguments: [[when("a1", "red", "==", "green")]], result: null, finishState: "failure" },
    refuses([[{ evaluations: [] }]], "Schema validation failed on decisionArray"),
  ],
});
