import { Type } from "@sinclair/typebox";
import { isJsonObject } from "../core/json.ts";
import type { Task } from "../core/task.ts";
import { evaluateGroups, type EvaluationGroup } from "../workflow-engine/interpreter/evaluation.ts";
import { patternAllowance } from "../workflow-engine/interpreter/regular-expression.ts";
import { anything, boolean, object, oneOf, optional, scalar, type ArgumentKind } from "./arguments.ts";
import { decisionTask } from "./decision-task.ts";
import { defineConcludingTask, gives, refuses } from "./define-task.ts";
import { weighSize } from "./heavy-inputs.ts";

const anyMembers = { additionalProperties: true };

const evaluationGroups: ArgumentKind<readonly EvaluationGroup[]> = {
  expected: "an array of groups {all_true_flag, evaluations: [{operand_1, operator, operand_2}]}",
  schema: Type.Array(
    Type.Object(
      {
        all_true_flag: Type.Optional(Type.Boolean()),
        evaluations: Type.Array(Type.Object({ operator: Type.String() }, anyMembers)),
      },
      anyMembers,
    ),
  ),
  accepts: (value) => Array.isArray(value) && value.every(isEvaluationGroup),
};

function isEvaluationGroup(group: unknown): boolean {
  return isJsonObject(group) && Array.isArray(group["evaluations"]) && group["evaluations"].every(isJsonObject);
}

const group = (operand_1: unknown, operator: string, operand_2: unknown, more: object = {}) => ({
  all_true_flag: true,
  evaluations: [{ operand_1, operator, operand_2, ...more }],
});

/** Tasks that decide how a workflow goes on (tasks-and-transformations.md §8). */
export const flowTasks: readonly Task[] = [
  decisionTask,
  defineConcludingTask({
    name: "evaluation",
    weigh: weighSize,
    palette: "WorkFlowEngine",
    type: "operation",
    summary: "Compares values: success where the conditions hold, failure where they do not.",
    description:
      "Operators: contains, !contains, <, <=, >, >=, ==, !=. A query is applied to its operand first. options.strictTypes: no operand is converted.",
    incoming: { all_true_flag: optional(boolean), evaluation_groups: evaluationGroups, options: optional(object) },
    outgoing: ["return_value", Type.Boolean()],
    conclude({ all_true_flag, evaluation_groups: groups, options }, context) {
      const isStrict = options?.["strictTypes"] === true;
      const allowance = patternAllowance(context);
      const value = evaluateGroups({ groups, isAllTrue: all_true_flag === true, isStrict, allowance });
      return { finishState: value ? "success" : "failure", value };
    },
    examples: [
      gives([false, [group("500", "==", 500)]], true),
      { arguments: [true, [group(1, "<", 2), group("up", "==", "down")]], result: false, finishState: "failure" },
      gives([false, [group({ loop: [{ status: "FAILED" }] }, ">", 0, { query: "loop[*status=FAILED]" })]], true),
      { arguments: [false, [group("500", "==", 500)], { strictTypes: true }], result: false, finishState: "failure" },
      refuses([false, {}], "Schema validation failed on evaluation_groups"),
    ],
  }),
  defineConcludingTask({
    name: "stub",
    palette: "Tools",
    summary:
      "Finishes in the state asked for, with a response, after a delay in seconds: a stand-in while a workflow is built.",
    incoming: { type: optional(oneOf("success", "failure", "error")), delay: optional(scalar), response: anything },
    outgoing: ["response", Type.Unknown()],
    conclude({ type = "success", response }) {
      const error = response === null || response === "" ? "The stub finished in error" : response;
      return { finishState: type, value: response, ...(type === "error" ? { error } : {}) };
    },
    examples: [
      gives(["success", "", { id: 1 }], { id: 1 }),
      { arguments: ["failure", "", "no"], result: "no", finishState: "failure" },
      { arguments: ["error", 5, "broken"], result: "broken", finishState: "error" },
      refuses(["maybe", "", ""], "Schema validation failed on type"),
    ],
  }),
];
